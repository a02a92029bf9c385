"""Made-up answers and imperfect predictions for every competition, the same for the same seed."""
