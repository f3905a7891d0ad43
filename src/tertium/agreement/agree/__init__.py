"""`tertium agree`: how far annotators of the same items agree."""
