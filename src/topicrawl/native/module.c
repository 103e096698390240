/* topicrawl._native: the parts of a crawl that are worth native code. docs/decisions/007-native-code.md. */

#include "page.h"
#include "seats.h"
#include "terms.h"

#if PY_BIG_ENDIAN
#error "pages are packed as little-endian numbers; without this module, Python packs them"
#endif

static PyMethodDef functions[] = {
    {"find", seats_find, METH_VARARGS, NULL},
    {"read_page", read_page, METH_VARARGS, NULL},
    {"seat", seats_seat, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module)
{
    PyObject *terms = PyType_FromSpec(&terms_spec);
    int failed = terms == NULL ? -1 : PyModule_AddObjectRef(module, "Terms", terms);
    Py_XDECREF(terms);
    return failed;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, fill},
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
