#!/usr/bin/env bash
# Makes the clips of this folder from FFmpeg's own sources, testsrc2 and sine.
# The same FFmpeg on the same processor writes the same bytes; `samples/make.sh DIR` writes elsewhere.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_clip() { # arguments… output
    ffmpeg -hide_banner -loglevel error -nostdin -y -filter_threads 1 "$@"
}

picture() { echo "testsrc2=size=$1:rate=$2:duration=$3"; }
tone() { echo "sine=frequency=$1:sample_rate=48000:duration=$2"; }

exact=(-threads 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1)
h264=(-c:v libx264 -preset medium -crf 30 -pix_fmt yuv420p)
aac=(-c:a aac -b:a 64k)

# A phone held upright: its pixels lie on their side, and a display matrix says so.
make_clip -f lavfi -i "$(picture 360x640 30 2)" -f lavfi -i "$(tone 440 2)" \
    -vf transpose=cclock "${h264[@]}" "${aac[@]}" "${exact[@]}" "$work/lying.mov"
# FFmpeg 6 and later have an option for the matrix; 5.1 has a tag, which counts the other way round.
turn_input=()
turn_output=(-metadata:s:v:0 rotate=270)
if ffmpeg -hide_banner -h full 2>/dev/null | grep '^-display_rotation' >/dev/null; then
    turn_input=(-display_rotation -90)
    turn_output=()
fi
make_clip "${turn_input[@]}" -i "$work/lying.mov" -c copy "${exact[@]}" "${turn_output[@]}" \
    "$out/phone-rotated.mov"

# A screen recorder that writes a frame only when something moves.
make_clip -f lavfi -i "$(picture 640x360 30 3)" -f lavfi -i "$(tone 440 3)" \
    -vf "select='not(mod(n\,7))+lt(mod(n\,11)\,6)'" -vsync vfr \
    "${h264[@]}" "${aac[@]}" "${exact[@]}" "$out/variable-rate.mp4"

# Six channels, each with a tone of its own.
make_clip -f lavfi -i "$(picture 640x360 25 2)" -filter_complex \
    "sine=300:d=2:r=48000[a];sine=400:d=2:r=48000[b];sine=500:d=2:r=48000[c];sine=60:d=2:r=48000[d];sine=700:d=2:r=48000[e];sine=800:d=2:r=48000[f];[a][b][c][d][e][f]join=inputs=6:channel_layout=5.1[sound]" \
    -map 0:v -map "[sound]" "${h264[@]}" -c:a ac3 -b:a 256k "${exact[@]}" "$out/surround-5.1.mkv"

# HDR10: PQ, ten bits, a mastering display and its light levels.
make_clip -f lavfi -i "$(picture 640x360 25 2)" -f lavfi -i "$(tone 440 2)" \
    -c:v libx265 -preset medium -crf 32 -pix_fmt yuv420p10le -tag:v hvc1 \
    -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv \
    -x265-params "log-level=none:pools=none:frame-threads=1:no-info=1:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400" \
    "${aac[@]}" "${exact[@]}" "$out/hdr10.mp4"

# Hybrid log-gamma, as phones write it.
make_clip -f lavfi -i "$(picture 640x360 30 1)" -f lavfi -i "$(tone 440 1)" \
    -c:v libx265 -preset medium -crf 32 -pix_fmt yuv420p10le -tag:v hvc1 \
    -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc -color_range tv \
    -x265-params "log-level=none:pools=none:frame-threads=1:no-info=1:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc" \
    "${aac[@]}" "${exact[@]}" "$out/hlg.mov"

# Television: fields with the top one first, wide pixels.
make_clip -f lavfi -i "$(picture 720x576 50 1)" -f lavfi -i "$(tone 440 1)" \
    -vf "interlace=scan=tff:lowpass=off,setsar=64/45" \
    -c:v libx264 -preset medium -crf 32 -pix_fmt yuv420p -x264-params tff=1 \
    -c:a mp2 -b:a 64k "${exact[@]}" -flags:v +ildct+ilme+bitexact "$out/interlaced-tff.ts"

# A width and a height that 4:2:0 cannot halve.
make_clip -f lavfi -i "testsrc2=size=642x362:rate=25:duration=2" -f lavfi -i "$(tone 440 2)" \
    -vf "format=yuv444p,crop=641:361:0:0:exact=1" \
    -c:v libx264 -preset medium -crf 30 -pix_fmt yuv444p "${aac[@]}" "${exact[@]}" \
    "$out/odd-641x361.mp4"

# Two languages, a subtitle, two chapters.
cat >"$work/words.srt" <<'TEXT'
1
00:00:00,200 --> 00:00:01,200
The reel begins.

2
00:00:01,500 --> 00:00:02,800
The reel ends.
TEXT
cat >"$work/chapters.txt" <<'TEXT'
;FFMETADATA1
title=Two languages
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1500
title=First half
[CHAPTER]
TIMEBASE=1/1000
START=1500
END=3000
title=Second half
TEXT
make_clip -f lavfi -i "$(picture 480x270 25 3)" -f lavfi -i "$(tone 440 3)" \
    -f lavfi -i "$(tone 660 3)" -i "$work/words.srt" -i "$work/chapters.txt" \
    -map 0:v -map 1:a -map 2:a -map 3:s "${h264[@]}" "${aac[@]}" -c:s srt \
    "${exact[@]}" -map_metadata 4 -map_chapters 4 \
    -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -metadata:s:s:0 language=eng \
    -disposition:a:0 default -disposition:a:1 0 "$out/languages-chapters.mkv"

# Sound that begins 0.7 s after the picture.
make_clip -f lavfi -i "$(picture 640x360 30 2)" -f lavfi -i "$(tone 440 2)" \
    "${h264[@]}" "${aac[@]}" "${exact[@]}" "$work/together.mkv"
make_clip -i "$work/together.mkv" -itsoffset 0.7 -i "$work/together.mkv" \
    -map 0:v -map 1:a -c copy "${exact[@]}" "$out/late-audio.mkv"

# A GIF whose pictures stay for different times.
make_clip -f lavfi -i "testsrc2=size=320x180:rate=20:duration=1,format=rgb8" \
    -vf "setpts='if(lt(N,10),N*0.05,0.5+(N-10)*0.2)/TB',split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none" \
    -vsync vfr -loop 0 "${exact[@]}" "$out/delays.gif"
