"""Files that claim a thousand streams."""

import struct


def _crc(section):
    value = 0xFFFFFFFF
    for byte in section:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
    return struct.pack(">I", value)


def _section(table, number, body):
    head = struct.pack(">BHHBBB", table, 0xB000 | (len(body) + 9), number, 0xC1, 0, 0)
    return head + body + _crc(head + body)


def _packets(pid, payload):
    packets, at, first = [], 0, True
    while at < len(payload):
        part = payload[at:at + 184]
        head = struct.pack(">BHB", 0x47, pid | (0x4000 if first else 0), 0x10 | len(packets) & 15)
        packets.append(head + part.ljust(184, b"\xff"))
        at, first = at + 184, False
    return b"".join(packets)


def transport_stream(count, per_program=100):
    """An MPEG transport stream: programs of `per_program` sound streams, each with a few bytes."""
    programs = [range(0x200 + at, 0x200 + min(at + per_program, count))
                for at in range(0, count, per_program)]
    association = b"".join(
        struct.pack(">HH", number, 0xE000 | (0x100 + number)) for number in range(1, len(programs) + 1))
    parts = [_packets(0, b"\0" + _section(0, 1, association))]
    for number, pids in enumerate(programs, 1):
        body = struct.pack(">HH", 0xE000 | pids[0], 0xF000)
        body += b"".join(struct.pack(">BHH", 0x03, 0xE000 | pid, 0xF000) for pid in pids)
        parts.append(_packets(0x100 + number, b"\0" + _section(2, number, body)))
    header = b"\0\0\1\xc0" + struct.pack(">H", 178) + b"\x80\x80\x05" + b"\x21\0\1\0\1"
    for pids in programs:
        parts += [_packets(pid, header.ljust(184, b"\xaa")) for pid in pids]
    return b"".join(parts)


def _element(identity, body):
    return identity + struct.pack(">Q", len(body) | 1 << 56) + body


def _number(identity, value):
    return _element(identity, struct.pack(">H", value))


def matroska(count):
    """A Matroska file: `count` PCM tracks and one cluster with a block for each."""
    sound = _element(b"\xe1", _element(b"\xb5", struct.pack(">f", 8000.0)) + _number(b"\x9f", 1)
                     + _element(b"\x62\x64", b"\x10"))
    tracks = b"".join(
        _element(b"\xae", _number(b"\xd7", n) + _number(b"\x73\xc5", n) + _element(b"\x83", b"\x02")
                 + _element(b"\x86", b"A_PCM/INT/LIT") + sound)
        for n in range(1, count + 1))
    blocks = b"".join(
        _element(b"\xa3", struct.pack(">HhB", 0x4000 | n, 0, 0x80) + bytes(160))
        for n in range(1, count + 1))
    header = _element(b"\x1a\x45\xdf\xa3", _element(b"\x42\x82", b"matroska") + _element(b"\x42\x87", b"\x04")
                      + _element(b"\x42\x85", b"\x02"))
    segment = _element(b"\x16\x54\xae\x6b", tracks)
    segment += _element(b"\x1f\x43\xb6\x75", _number(b"\xe7", 0) + blocks)
    return header + _element(b"\x18\x53\x80\x67", segment)
