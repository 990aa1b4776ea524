#pragma once

// libxml2's reader, loaded when a document is first read: nothing else of it is used. These declarations are those of
// `libxml/xmlreader.h`, the same since 2.6; the header itself needs a search path that only its package knows.

#include <dlfcn.h>
#include <stddef.h>

// Source: `xmlParserOption` and `xmlReaderTypes`.
static const int takeup_xml_quiet = 1 << 5 | 1 << 6;
static const int takeup_xml_no_network = 1 << 11;
static const int takeup_xml_element = 1;
static const int takeup_xml_text = 3;
static const int takeup_xml_cdata = 4;
static const int takeup_xml_entity = 5;
static const int takeup_xml_document_type = 10;
static const int takeup_xml_end_element = 15;

/// The library; NULL where it is not installed. Release 2.14 raised its number.
static inline void *takeup_xml_library(void) {
    static void *library;
    void *known = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
    if (!known) {
        known = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!known) known = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&library, known, __ATOMIC_RELEASE);
    }
    return known;
}

#define TAKEUP_XML(name) dlsym(takeup_xml_library(), #name)

static inline void *takeup_xml_reader(const char *bytes, int count) {
    if (!takeup_xml_library()) return NULL;
    void *(*make)(const char *, int, const char *, const char *, int) =
        (void *(*)(const char *, int, const char *, const char *, int))TAKEUP_XML(xmlReaderForMemory);
    return make ? make(bytes, count, NULL, NULL, takeup_xml_quiet | takeup_xml_no_network) : NULL;
}
static inline void takeup_xml_reader_free(void *reader) {
    ((void (*)(void *))TAKEUP_XML(xmlFreeTextReader))(reader);
}
// 1 for a node, 0 at the end, below 0 for what is no XML.
static inline int takeup_xml_read(void *reader) { return ((int (*)(void *))TAKEUP_XML(xmlTextReaderRead))(reader); }
static inline int takeup_xml_kind(void *reader) {
    return ((int (*)(void *))TAKEUP_XML(xmlTextReaderNodeType))(reader);
}
static inline int takeup_xml_is_empty(void *reader) {
    return ((int (*)(void *))TAKEUP_XML(xmlTextReaderIsEmptyElement))(reader);
}
static inline const char *takeup_xml_name(void *reader) {
    return ((const char *(*)(void *))TAKEUP_XML(xmlTextReaderConstLocalName))(reader);
}
static inline const char *takeup_xml_value(void *reader) {
    return ((const char *(*)(void *))TAKEUP_XML(xmlTextReaderConstValue))(reader);
}
