#include "kinds.h"

/* All characters of a block, folded in one call: folding treats each character separately. */
static PyObject *folded_block(const Kinds *kinds, Py_UCS4 block)
{
    Py_UCS4 characters[BLOCK];
    for (Py_UCS4 i = 0; i < BLOCK; i++)
        characters[i] = block * BLOCK + i;
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, characters, BLOCK);
    PyObject *folded = text == NULL ? NULL : PyObject_CallOneArg(kinds->fold, text);
    Py_XDECREF(text);
    if (folded != NULL && !(PyUnicode_Check(folded) && PyUnicode_GET_LENGTH(folded) == BLOCK)) {
        PyErr_SetString(PyExc_ValueError, "folding must keep the length of a text");
        Py_CLEAR(folded);
    }
    return folded;
}

static PyObject *kinds_block(const Kinds *kinds, Py_UCS4 block)
{
    PyObject *made = PyObject_CallFunction(kinds->kinds, "k", (unsigned long)block);
    if (made != NULL && !(PyBytes_Check(made) && PyBytes_GET_SIZE(made) == BLOCK)) {
        PyErr_SetString(PyExc_TypeError, "kinds must return 256 bytes");
        Py_CLEAR(made);
    }
    return made;
}

/* Fill the table for a block of characters; false with an exception set when that fails. */
static bool load_block(Kinds *kinds, Py_UCS4 block)
{
    PyObject *folded = folded_block(kinds, block);
    PyObject *made = folded == NULL ? NULL : kinds_block(kinds, block);
    Letter *letters = made == NULL ? NULL : PyMem_New(Letter, BLOCK);
    for (Py_ssize_t i = 0; letters != NULL && i < BLOCK; i++)
        letters[i] = (Letter){PyUnicode_READ_CHAR(folded, i), ((uint8_t *)PyBytes_AS_STRING(made))[i]};
    if (made != NULL && letters == NULL)
        PyErr_NoMemory();
    Py_XDECREF(folded);
    Py_XDECREF(made);
    kinds->blocks[block] = letters;  /* below BLOCKS: see letter_of */
    return letters != NULL;
}

bool kinds_init(Kinds *kinds, PyObject *fold, PyObject *make)
{
    kinds->fold = Py_NewRef(fold);
    kinds->kinds = Py_NewRef(make);
    return load_block(kinds, 0);
}

void kinds_free(Kinds *kinds)
{
    for (int i = 0; i < BLOCKS; i++)
        PyMem_Free(kinds->blocks[i]);
    Py_XDECREF(kinds->fold);
    Py_XDECREF(kinds->kinds);
}

const Letter *letter_met(Kinds *kinds, Py_UCS4 c)
{
    return kinds->blocks[c >> 8] != NULL || load_block(kinds, c >> 8) ? letter_of(kinds, c) : NULL;
}

enum { AT_ONCE = 64 };

/* How many characters from `at` on are all of the first block, looked at `AT_ONCE` at a time. */
static Py_ssize_t in_first_block(const Text *text, Py_ssize_t at)
{
    const uint16_t *characters = text->data;
    Py_ssize_t begin = at;
    for (; at + AT_ONCE <= text->length; at += AT_ONCE) {
        uint16_t together = 0;
        for (int i = 0; i < AT_ONCE; i++)  /* compilers make a few wide instructions of it */
            together |= characters[at + i];
        if (together >= BLOCK)
            break;
    }
    return at - begin;
}

bool open_text(Kinds *kinds, PyObject *string, Text *text)
{
    *text = (Text){PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string), kinds};
    if (text->kind == PyUnicode_1BYTE_KIND)
        return true;
    for (Py_ssize_t i = 0; i < text->length; i++) {
        if (i % AT_ONCE == 0 && text->kind == PyUnicode_2BYTE_KIND
            && (i += in_first_block(text, i)) == text->length)
            break;
        Py_UCS4 block = PyUnicode_READ(text->kind, text->data, i) >> 8;
        if (kinds->blocks[block] == NULL && !load_block(kinds, block))
            return false;
    }
    return true;
}
