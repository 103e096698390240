/* Numbers of new words: text/new_words.py in C. */

#ifndef TOPICRAWL_NEW_WORDS_H
#define TOPICRAWL_NEW_WORDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *base_form(PyObject *module, PyObject *word);
PyObject *number_words(PyObject *module, PyObject *arguments);

#endif
