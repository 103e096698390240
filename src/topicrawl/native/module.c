/* topicrawl._native: the hot paths of a crawl in C. Why: docs/decisions/007-native-code.md. */

#include "common_ancestors.h"
#include "edge_sums.h"
#include "exponentials.h"
#include "page.h"
#include "page_documents.h"
#include "hash_table.h"
#include "link_documents.h"
#include "link_features.h"
#include "link_priorities.h"
#include "new_words.h"
#include "nouns.h"
#include "novelty.h"
#include "page_links.h"
#include "priorities.h"
#include "sparse.h"
#include "terms.h"
#include "url_shapes.h"
#include "words.h"

#if PY_BIG_ENDIAN
#error "pages are packed as little-endian numbers; without this module, Python packs them"
#endif

static PyMethodDef functions[] = {
    {"add_by_token", add_by_token, METH_VARARGS, NULL},
    {"add_link_texts", add_link_texts, METH_VARARGS, NULL},
    {"add_names", add_names, METH_VARARGS, NULL},
    {"add_places", add_places, METH_VARARGS, NULL},
    {"add_to_targets", add_to_targets, METH_VARARGS, NULL},
    {"add_visited", add_visited, METH_VARARGS, NULL},
    {"add_to_documents", add_to_documents, METH_VARARGS, NULL},
    {"count_fields", count_fields, METH_VARARGS, NULL},
    {"base_form", base_form, METH_O, NULL},
    {"add_both", sparse_add_both, METH_VARARGS, NULL},
    {"add_back", sparse_add_back, METH_VARARGS, NULL},
    {"add_by_column", sparse_add_by_column, METH_VARARGS, NULL},
    {"add_by_row", sparse_add_by_row, METH_VARARGS, NULL},
    {"add_pairs", sparse_add_pairs, METH_VARARGS, NULL},
    {"transpose", sparse_transpose, METH_VARARGS, NULL},
    {"count_tokens", count_tokens, METH_VARARGS, NULL},
    {"exp_all", exp_all, METH_VARARGS, NULL},
    {"group_names", group_names, METH_VARARGS, NULL},
    {"insert", hash_table_insert, METH_VARARGS, NULL},
    {"insert_all", hash_table_insert_all, METH_VARARGS, NULL},
    {"largest_place", largest_place, METH_VARARGS, NULL},
    {"learn", novelty_learn, METH_VARARGS, NULL},
    {"links_on_page", links_on_page, METH_VARARGS, NULL},
    {"lookup", hash_table_lookup, METH_VARARGS, NULL},
    {"measure_hosts", measure_hosts, METH_VARARGS, NULL},
    {"measure_links", measure_links, METH_VARARGS, NULL},
    {"noun_named", noun_named, METH_VARARGS, NULL},
    {"number_words", number_words, METH_VARARGS, NULL},
    {"place_fields", place_fields, METH_VARARGS, NULL},
    {"predict_links", predict_links, METH_VARARGS, NULL},
    {"prioritise_links", prioritise_links, METH_VARARGS, NULL},
    {"project", project, METH_VARARGS, NULL},
    {"read_page", read_page, METH_VARARGS, NULL},
    {"set_priorities", set_priorities, METH_VARARGS, NULL},
    {"texts_of", hash_table_texts_of, METH_VARARGS, NULL},
    {"weigh_compact", weigh_compact, METH_VARARGS, NULL},
    {"weigh_documents", weigh_documents, METH_VARARGS, NULL},
    {"weigh_fields", weigh_fields, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    int failed = type == NULL ? -1 : PyModule_AddObjectRef(module, name, type);
    Py_XDECREF(type);
    return failed;
}

static int add_types(PyObject *module)
{
    return add_type(module, "CommonAncestors", &common_ancestors_spec)
        || add_type(module, "Terms", &terms_spec)
        || add_type(module, "Words", &words_spec) ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_types},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "topicrawl._native",
    .m_slots = slots,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
