"""The pipeline: `pipeline.stages` has a module for each stage; the machinery stands beside it."""
