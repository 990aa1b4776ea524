#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libavutil/tx.h>
#include <stdio.h>

#include "text.h"

// Macros that Swift cannot see.
static const int takeup_error_eof = AVERROR_EOF;
static const int takeup_error_again = AVERROR(EAGAIN);
static const int takeup_error_exit = AVERROR_EXIT;
static const int takeup_error_invalid_data = AVERROR_INVALIDDATA;
static const int takeup_error_patch_welcome = AVERROR_PATCHWELCOME;
static const int takeup_error_no_memory = AVERROR(ENOMEM);
static const int takeup_error_no_space = AVERROR(ENOSPC);
static const int takeup_error_io = AVERROR(EIO);
static const int takeup_error_not_permitted = AVERROR(EPERM);
static const int takeup_error_invalid_argument = AVERROR(EINVAL);
static const int takeup_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int takeup_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int64_t takeup_no_timestamp = AV_NOPTS_VALUE;

// Fields that FFmpeg 5.1 and 7 spell differently.
static inline int64_t takeup_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline void takeup_frame_set_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = duration;
#else
    frame->pkt_duration = duration;
#endif
}

static inline int takeup_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return !!(frame->flags & AV_FRAME_FLAG_INTERLACED);
#else
    return frame->interlaced_frame;
#endif
}

static inline int takeup_frame_is_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return !!(frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST);
#else
    return frame->top_field_first;
#endif
}

static inline void takeup_frame_set_progressive(AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#else
    frame->interlaced_frame = 0;
    frame->top_field_first = 0;
#endif
}

// Before libavcodec 60 the x265 wrapper allocates a copy of this number for each picture that has one, and frees it
// only with the picture's packet: an encoder that is given up would leak them.
static inline void takeup_frame_forget_opaque(AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    frame->reordered_opaque = 0;
#else
    (void)frame;
#endif
}

// Side data of a stream moved from AVStream to AVCodecParameters in libavformat 60.15.
static inline const uint8_t *takeup_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *found = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = found ? found->size : 0;
    return found ? found->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

static inline uint8_t *takeup_stream_new_side_data(
    AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *made = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    return made ? made->data : NULL;
#else
    return av_stream_new_side_data(stream, type, size);
#endif
}

// Since libavformat 61 the buffer that a write callback gets is const.
typedef int (*takeup_write_callback)(void *opaque, const uint8_t *bytes, int count);

static inline AVIOContext *takeup_avio_alloc_writer(
    uint8_t *buffer, int size, void *opaque, takeup_write_callback write,
    int64_t (*seek)(void *opaque, int64_t offset, int whence)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
    return avio_alloc_context(
        buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))(void *)write, seek);
#endif
}

static int takeup_deny_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options) {
    (void)context; (void)io; (void)url; (void)flags; (void)options;
    return AVERROR(EPERM);
}

/// Makes every attempt of a demuxer to open a further file fail.
static inline void takeup_seal(AVFormatContext *context) {
    context->io_open = takeup_deny_open;
}

/// What the owner of a decoder keeps in its context, by the object of an `av_log` call; its parts log too.
static inline void *takeup_log_owner(void *object) {
    for (int depth = 0; object && depth < 3; depth++) {
        const AVClass *kind = *(const AVClass **)object;
        if (!kind) return NULL;
        if (kind == avcodec_get_class()) {
            AVCodecContext *context = object;
            return context->codec && av_codec_is_decoder(context->codec) ? context->opaque : NULL;
        }
        if (!kind->parent_log_context_offset) return NULL;
        object = *(void **)((uint8_t *)object + kind->parent_log_context_offset);
    }
    return NULL;
}

/// The message of one `av_log` call, without the context's name.
static inline void takeup_format_log(
    void *object, int level, const char *format, va_list arguments, char *line, int size) {
    int print_prefix = 0;
    (void)level; (void)object;
    av_log_format_line2(NULL, level, format, arguments, line, size, &print_prefix);
}
