/* FETCH(address): have the processor bring an address into its cache, where it will be read soon. */

#ifndef TOPICRAWL_FETCH_H
#define TOPICRAWL_FETCH_H

#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) (void)(address)
#endif

#endif
