"""The Discord bot around `coup_core`: it contains no rule of Coup."""
