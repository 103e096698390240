"""What a page says: bytes ─► sniff ─► decode ─► html (collect) or plain ─► `Page`, all put together in read.py."""
