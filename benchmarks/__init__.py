"""Measurements beside other engines, run by hand. A test looks at their form, never at their figures."""
