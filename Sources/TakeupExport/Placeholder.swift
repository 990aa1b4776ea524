// Takes its first file with the next commit.
