"""What the measuring scripts share: timed child processes, probes, clips."""
