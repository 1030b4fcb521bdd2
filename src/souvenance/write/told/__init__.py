"""What the person's own sentences tell, read by rules: used by `extractive`, reflection without a chat model.

`disclosure` judges a sentence; `passages` joins what belongs together; `staging` parts play from talk, `voices` the
person's words from others'; `introductions`, `requests`, `manners`, `others`, `passing` know one sort each. All pure.
"""
