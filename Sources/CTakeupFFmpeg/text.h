#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// libass and FreeType, which libavfilter brings along where it draws subtitles: no build needs their headers, and a
// program without them says so when it should draw. The declarations are those of ass.h (libass.so.9) and freetype.h
// (libfreetype.so.6), as far as both have been the same for ten years.

typedef struct takeup_ass_library takeup_ass_library;
typedef struct takeup_ass_renderer takeup_ass_renderer;
typedef struct takeup_ass_track takeup_ass_track;

/// A coverage of one colour: red, green, blue, and how transparent it is.
typedef struct takeup_ass_image {
    int w, h, stride;
    unsigned char *bitmap;
    uint32_t color;
    int x, y;
    struct takeup_ass_image *next;
    int type;
} takeup_ass_image;

/// Finds a function of a library that is loaded, or that can be; NULL for none.
static inline void *takeup_text_function(const char *library, const char *name) {
    void *own = dlopen(NULL, RTLD_NOW);
    void *found = own ? dlsym(own, name) : NULL;
    if (found) return found;
    void *other = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return other ? dlsym(other, name) : NULL;
}

#define TAKEUP_ASS(result, name, parameters, arguments)                                        \
    static inline result takeup_##name parameters {                                            \
        static void *known;                                                                    \
        void *function = __atomic_load_n(&known, __ATOMIC_ACQUIRE);                            \
        if (!function) {                                                                       \
            function = takeup_text_function("libass.so.9", #name);                             \
            __atomic_store_n(&known, function, __ATOMIC_RELEASE);                              \
        }                                                                                      \
        return ((result(*) parameters)function) arguments;                                     \
    }

/// Whether text can be drawn: both libraries are there.
static inline int takeup_draws_text(void) {
    return takeup_text_function("libass.so.9", "ass_render_frame") != NULL
        && takeup_text_function("libfreetype.so.6", "FT_New_Memory_Face") != NULL;
}

TAKEUP_ASS(takeup_ass_library *, ass_library_init, (void), ())
TAKEUP_ASS(void, ass_library_done, (takeup_ass_library *l), (l))
TAKEUP_ASS(void, ass_set_message_cb,
           (takeup_ass_library *l, void (*body)(int, const char *, va_list, void *), void *context),
           (l, body, context))
TAKEUP_ASS(void, ass_add_font, (takeup_ass_library *l, const char *name, const char *data, int size),
           (l, name, data, size))
TAKEUP_ASS(takeup_ass_renderer *, ass_renderer_init, (takeup_ass_library *l), (l))
TAKEUP_ASS(void, ass_renderer_done, (takeup_ass_renderer *r), (r))
TAKEUP_ASS(void, ass_set_frame_size, (takeup_ass_renderer *r, int w, int h), (r, w, h))
TAKEUP_ASS(void, ass_set_storage_size, (takeup_ass_renderer *r, int w, int h), (r, w, h))
TAKEUP_ASS(void, ass_set_fonts,
           (takeup_ass_renderer *r, const char *font, const char *family, int provider,
            const char *config, int update),
           (r, font, family, provider, config, update))
TAKEUP_ASS(takeup_ass_track *, ass_read_memory,
           (takeup_ass_library *l, char *text, size_t size, const char *codepage),
           (l, text, size, codepage))
TAKEUP_ASS(void, ass_free_track, (takeup_ass_track *t), (t))
TAKEUP_ASS(takeup_ass_image *, ass_render_frame,
           (takeup_ass_renderer *r, takeup_ass_track *t, long long time, int *change),
           (r, t, time, change))

static inline void takeup_ass_ignore(int level, const char *format, va_list values, void *context) {
    (void)level; (void)format; (void)values; (void)context;
}

/// Opens libass without any font of the machine, and without words on standard error.
static inline takeup_ass_library *takeup_ass_quiet_library(void) {
    takeup_ass_library *library = takeup_ass_library_init();
    if (library) takeup_ass_set_message_cb(library, takeup_ass_ignore, NULL);
    return library;
}

// FreeType.

typedef struct takeup_ft_face {
    long num_faces, face_index, face_flags, style_flags, num_glyphs;
    char *family_name, *style_name;
} takeup_ft_face;

typedef struct takeup_ft_name {
    unsigned short platform, encoding, language, kind;
    unsigned char *bytes;
    unsigned count;
} takeup_ft_name;

/// What a font says of itself.
typedef struct takeup_font {
    /// The name of its family: UTF-16 with the higher byte first, or text that ends with a zero.
    unsigned char family[512];
    unsigned count;
    int is_wide;
} takeup_font;

/// Reads the first face of a font.
///
/// \param letters Code points, of which `lacks` tells those that it has no glyph for.
/// \returns 0, or FreeType's error.
static inline int takeup_read_font(const unsigned char *bytes, long size, const uint32_t *letters,
                                   unsigned char *lacks, size_t count, takeup_font *font) {
    const char *const library = "libfreetype.so.6";
    int (*begin)(void **) = (int (*)(void **))takeup_text_function(library, "FT_Init_FreeType");
    int (*end)(void *) = (int (*)(void *))takeup_text_function(library, "FT_Done_FreeType");
    int (*open)(void *, const unsigned char *, long, long, takeup_ft_face **) =
        (int (*)(void *, const unsigned char *, long, long, takeup_ft_face **))
            takeup_text_function(library, "FT_New_Memory_Face");
    unsigned (*names)(takeup_ft_face *) =
        (unsigned (*)(takeup_ft_face *))takeup_text_function(library, "FT_Get_Sfnt_Name_Count");
    int (*name)(takeup_ft_face *, unsigned, takeup_ft_name *) =
        (int (*)(takeup_ft_face *, unsigned, takeup_ft_name *))
            takeup_text_function(library, "FT_Get_Sfnt_Name");
    unsigned (*glyph)(takeup_ft_face *, unsigned long) =
        (unsigned (*)(takeup_ft_face *, unsigned long))
            takeup_text_function(library, "FT_Get_Char_Index");
    const int isMissing = 1;
    memset(font, 0, sizeof *font);
    if (!begin || !end || !open || !names || !name || !glyph) return isMissing;
    void *freetype = NULL;
    takeup_ft_face *face = NULL;
    int error = begin(&freetype);
    if (error) return error;
    error = open(freetype, bytes, size, 0, &face);
    if (!error) {
        // As libass finds it: the family in Microsoft's tables, and else what FreeType calls it.
        const unsigned all = names(face);
        for (unsigned place = 0; place < all && !font->count; place++) {
            takeup_ft_name own;
            if (name(face, place, &own) || own.platform != 3 || own.kind != 1) continue;
            font->count = own.count < sizeof font->family ? own.count : sizeof font->family;
            memcpy(font->family, own.bytes, font->count);
            font->is_wide = 1;
        }
        if (!font->count && face->family_name) {
            const size_t length = strlen(face->family_name);
            font->count = length < sizeof font->family ? (unsigned)length : sizeof font->family;
            memcpy(font->family, face->family_name, font->count);
        }
        for (size_t place = 0; place < count; place++)
            lacks[place] = glyph(face, letters[place]) == 0;
    }
    // It frees its faces.
    end(freetype);
    return error;
}
