"""Trees as files of nodes have them, and changes of trees."""
