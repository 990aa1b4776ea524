"""Small files whose picture is enormous."""

import struct
import zlib


def png(side):
    """A square grey picture, all black, as PNG."""
    squeeze, row, parts = zlib.compressobj(1), bytes(side + 1), []
    for _ in range(side):
        parts.append(squeeze.compress(row))
    parts.append(squeeze.flush())
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", b"".join(parts)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks)


def jpeg(small, side):
    """A JPEG whose frame header says another size."""
    at = min(i for i in (small.find(b"\xff\xc0"), small.find(b"\xff\xc2")) if i >= 0)
    return small[:at + 5] + struct.pack(">HH", side, side) + small[at + 9:]


class _Bits:
    def __init__(self):
        self.text = ""

    def fixed(self, value, width):
        self.text += format(value, f"0{width}b")

    def golomb(self, *values):
        for value in values:
            code = format(value + 1, "b")
            self.text += "0" * (len(code) - 1) + code

    def unit(self, head):
        """The bits as one NAL unit, its emulation prevention bytes in place."""
        text = self.text + "1"
        text += "0" * (-len(text) % 8)
        out, zeros = bytearray(), 0
        for byte in int(text, 2).to_bytes(len(text) // 8, "big"):
            if zeros >= 2 and byte <= 3:
                out.append(3)
                zeros = 0
            out.append(byte)
            zeros = zeros + 1 if byte == 0 else 0
        return b"\0\0\0\1" + bytes([head]) + bytes(out)


def h264(side, frames=30):
    """An H.264 stream: headers for a square of `side`, and slices that hold next to nothing."""
    parameters = _Bits()
    parameters.fixed(66, 8), parameters.fixed(0, 8), parameters.fixed(62, 8)
    parameters.golomb(0, 0, 2, 1)
    parameters.fixed(0, 1)
    parameters.golomb(side // 16 - 1, side // 16 - 1)
    parameters.fixed(0b1100, 4)
    picture = _Bits()
    picture.golomb(0, 0)
    picture.fixed(0, 2)
    picture.golomb(0, 0, 0)
    picture.fixed(0, 3)
    picture.golomb(0, 0, 0)
    picture.fixed(0, 3)
    out = parameters.unit(0x67) + picture.unit(0x68)
    for number in range(frames):
        piece = _Bits()
        piece.golomb(0, 7, 0)
        piece.fixed(0, 4)
        piece.golomb(number % 2)
        piece.fixed(0, 2)
        piece.golomb(0)
        piece.fixed(0xFFFF, 64)
        out += piece.unit(0x65)
    return out
