// Threads of the library itself.
#pragma once

namespace eagre {

// Starts a thread that nobody joins and that gets no signals: these are for the program's own
// threads. False when the system gives us no more threads.
bool start_detached_thread(void (*entry)(void*), void* context);

}  // namespace eagre
