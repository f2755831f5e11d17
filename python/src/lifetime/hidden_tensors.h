// Plain tensors that the collector must see after all.
//
// The collector does not know tensors without state: there are many, and they lead to nothing but
// memory. Those with a history do lead on, though, to leaves and nodes with hooks. A hook that
// refers to the result of its own leaf is a cycle that runs through one. So at the start of every
// full collection, whatever the hooks and attributes of tensors lead to is looked through for
// tensors with a history, and the collector is told of these. What hooks of results and contexts
// refer to is looked through when they get it: nothing leads to these but the graph.
#pragma once

#include "types/tensor.h"

namespace eagre::python {

// A tensor that got hooks or attributes.
void list_for_collector(PyObject* tensor);
// It ends.
void unlist_slowly(PyTensor& tensor);
inline void unlist(PyTensor& tensor) {
  if (tensor.is_listed) unlist_slowly(tensor);
}

// Does a full collection run? Only then are the graphs of results followed: the objects of a long
// one come one by one, and every look through the young ones would go through all of it again.
bool is_full_collection();
// Before the collector learns of something that leads to a graph.
void listen_to_collector();

// Tells the collector of tensors with a history that this object leads to, if it is near.
void show_tensors_behind(PyObject* object);

}  // namespace eagre::python
