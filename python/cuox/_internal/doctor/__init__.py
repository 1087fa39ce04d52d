"""`cuox doctor` and `cuox info`: what is installed, what is wrong with it, and the commands that mend it."""
