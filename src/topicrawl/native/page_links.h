/* The links of a page that lead to known ones: scout/page_links.py in C. */

#ifndef TOPICRAWL_PAGE_LINKS_H
#define TOPICRAWL_PAGE_LINKS_H

#include "arrays.h"

PyObject *links_on_page(PyObject *module, PyObject *arguments);

#endif
