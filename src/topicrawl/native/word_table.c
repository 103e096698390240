#include "word_table.h"

enum { FREE = NOT_MET, FIRST_SLOTS = 1024, MOST_USED = 1 << 21 };
#define PLACEHOLDER(place) (-2 - (int64_t)(place))  /* of the new word at this place; it is its own inverse */

/* The slot of `hash`, or the free one where it belongs. */
static Slot *slot_of(Slot *slots, size_t mask, uint64_t hash)
{
    size_t at = (size_t)hash & mask;
    while (slots[at].number != FREE && slots[at].hash != hash)  /* ends: some are free */
        at = (at + 1) & mask;
    return &slots[at];
}

static bool resize(WordTable *table, size_t count)
{
    Slot *slots = PyMem_New(Slot, count);
    if (slots == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++)
        slots[i].number = FREE;
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++)
        if (table->slots[i].number != FREE)
            *slot_of(slots, count - 1, table->slots[i].hash) = table->slots[i];
    PyMem_Free(table->slots);
    table->slots = slots;
    table->mask = count - 1;
    return true;
}

static void clear_frequent(WordTable *table)
{
    for (size_t i = 0; i < FREQUENT; i++)
        table->frequent[i].number = FREE;
}

bool table_init(WordTable *table, PyObject *number_all)
{
    table->number_all = Py_NewRef(number_all);
    table->new_words = PyList_New(0);
    clear_frequent(table);
    return table->new_words != NULL && hash_key_init(&table->key) && resize(table, FIRST_SLOTS);
}

void table_free(WordTable *table)
{
    PyMem_Free(table->slots);
    Py_XDECREF(table->number_all);
    Py_XDECREF(table->new_words);
    buffer_free(&table->new_hashes);
}

int64_t table_number(WordTable *table, uint64_t hash, PyObject *(*word)(const void *), const void *letters)
{
    Slot *slot = slot_of(table->slots, table->mask, hash);
    if (slot->number > FREE)
        table->frequent[hash >> 50] = *slot;
    if (slot->number != FREE)
        return slot->number;
    PyObject *made = word(letters);
    int64_t number = PLACEHOLDER(PyList_GET_SIZE(table->new_words));
    bool kept = made != NULL && PyList_Append(table->new_words, made) == 0;
    Py_XDECREF(made);
    if (!kept || !buffer_add(&table->new_hashes, &hash, sizeof hash))
        return NO_NUMBER;
    if (4 * table->used >= 3 * table->mask && !resize(table, 2 * (table->mask + 1)))
        return NO_NUMBER;
    *slot_of(table->slots, table->mask, hash) = (Slot){hash, number};
    table->used++;
    return number;
}

/* Forget all words. */
static void clear(WordTable *table)
{
    for (size_t i = 0; i <= table->mask; i++)
        table->slots[i].number = FREE;
    table->used = 0;
    clear_frequent(table);
}

static void forget_new(WordTable *table)
{
    table->new_hashes.size = 0;
    PyList_SetSlice(table->new_words, 0, PyList_GET_SIZE(table->new_words), NULL);
}

/* The numbers of the new words, a list of as many; NULL with an exception set when there are none. */
static PyObject *ask(WordTable *table)
{
    PyObject *given = PyErr_Occurred() ? NULL : PyObject_CallOneArg(table->number_all, table->new_words);
    Py_ssize_t count = (Py_ssize_t)(table->new_hashes.size / sizeof(uint64_t));
    if (given != NULL && !(PyList_Check(given) && PyList_GET_SIZE(given) == count)) {
        PyErr_SetString(PyExc_TypeError, "every word needs a number");
        Py_CLEAR(given);
    }
    return given;
}

/* Put the numbers given into the slots of the new words, and into `numbers`. */
static bool put(WordTable *table, PyObject *given, int64_t *numbers, size_t count)
{
    const uint64_t *hashes = (const uint64_t *)table->new_hashes.data;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(given); i++) {
        int64_t number = PyLong_AsLongLong(PyList_GET_ITEM(given, i));
        if (number < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "the number of a word is 0 or more");
            return false;
        }
        slot_of(table->slots, table->mask, hashes[i])->number = number;
    }
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0)  /* a placeholder: its word is among the new ones */
            numbers[i] = slot_of(table->slots, table->mask, hashes[PLACEHOLDER(numbers[i])])->number;
    return true;
}

void table_tidy(WordTable *table)
{
    if (table->used > MOST_USED)
        clear(table);
}

bool table_settle(WordTable *table, int64_t *numbers, size_t count)
{
    if (table->new_hashes.size == 0 && !PyErr_Occurred())
        return true;
    PyObject *given = ask(table);
    bool done = given != NULL && put(table, given, numbers, count);
    Py_XDECREF(given);
    if (!done)
        clear(table);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);  /* a list that is emptied calls no code that may see it */
    forget_new(table);
    PyErr_Restore(type, value, trace);
    return done;
}
