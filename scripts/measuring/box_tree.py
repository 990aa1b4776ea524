"""Just enough MP4 box surgery to make files that lie."""

import struct

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"dinf", b"edts"}


def parsed(raw):
    """A list of [kind, payload]; a container's payload is such a list."""
    boxes, at = [], 0
    while at + 8 <= len(raw):
        size, kind = struct.unpack_from(">I4s", raw, at)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", raw, at + 8)[0], 16
        size = size or len(raw) - at
        payload = raw[at + head:at + size]
        boxes.append([kind, parsed(payload) if kind in CONTAINERS else payload])
        at += size
    return boxes


def packed(boxes):
    """The bytes of a list of boxes, sizes counted anew."""
    parts = []
    for kind, payload in boxes:
        body = packed(payload) if isinstance(payload, list) else payload
        parts.append(struct.pack(">I4s", len(body) + 8, kind) + body)
    return b"".join(parts)


def found(boxes, kind):
    """Every box of one kind, at any depth."""
    for box in boxes:
        if box[0] == kind:
            yield box
        if isinstance(box[1], list):
            yield from found(box[1], kind)


def with_tracks(raw, count):
    """The same file with its first track `count` times; its index must stand after its media."""
    boxes = parsed(raw)
    movie = next(found(boxes, b"moov"))
    track = packed([next(found(boxes, b"trak"))])
    rest = [box for box in movie[1] if box[0] != b"trak"]
    copies = []
    for number in range(1, count + 1):
        copy = parsed(track)[0]
        header = next(found([copy], b"tkhd"))
        at = 20 if header[1][0] else 12  # version 1 has 64-bit times before the number
        header[1] = header[1][:at] + struct.pack(">I", number) + header[1][at + 4:]
        copies.append(copy)
    movie[1] = rest[:1] + copies + rest[1:]
    return packed(boxes)


def with_reference(raw, entry):
    """The index alone, its media said to be elsewhere by one data reference entry."""
    boxes = [box for box in parsed(raw) if box[0] not in (b"mdat", b"free")]
    for reference in found(boxes, b"dref"):
        reference[1] = struct.pack(">II", 0, 1) + entry
    return packed(boxes)


def url_entry(location):
    """A data reference by URL."""
    return packed([[b"url ", bytes(4) + location.encode() + b"\0"]])


def alias_entry(path):
    """A data reference by Macintosh alias: what QuickTime wrote, with a UNIX path in it."""
    name = path.rsplit("/", 1)[1].encode()
    records = b""
    for kind, text in ((2, path.encode()), (18, path.encode())):
        records += struct.pack(">HH", kind, len(text)) + text + bytes(len(text) % 2)
    body = bytes(4) + bytes(4) + struct.pack(">HHH", 0, 2, 0)  # flags; creator, size, version, kind
    body += bytes([4]) + b"disk".ljust(27, b"\0") + bytes(12)
    body += bytes([len(name[:63])]) + name[:63].ljust(63, b"\0") + bytes(16)
    body += struct.pack(">HH", 1, 1) + bytes(16)  # one level up, one down: a sibling
    return packed([[b"alis", body + records + struct.pack(">HH", 0xFFFF, 0)]])
