// Headers for those who write nodes and plug-ins, without the umbrella before them.
#include <eagre/autograd/tape/node.h>
#include <eagre/dispatch/device_plugin.h>
#include <eagre/dispatch/plugin.h>
