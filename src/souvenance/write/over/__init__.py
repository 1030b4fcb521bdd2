"""What is over, replaced or announced: which memory a newer sentence closes, and from which day.

`supersede` decides; `slots` goes by attributes, `corrections`, `occasions` and `moving` by values, `endings`,
`finishing` and `outcomes` by words of ending; `earnest`, `whose` and `asides` hold them back; `contrary` tells what
may contradict. All pure.
"""
