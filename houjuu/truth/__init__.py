"""The truth beside the predictions: labels from all four hands, and tables of both."""
