//EXPECT: SAFE
// A pointer to a record points to such a record, in whatever object that lies: a lock, a flag and a number behind one
// pointer are accessed where they are, and nowhere else.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct box {
    bool open;
    int number;
    pthread_mutex_t lock;
};

struct room {
    long size;
    struct box boxes[2];
};

void *writer(void *argument)
{
    struct box *box = argument;
    pthread_mutex_lock(&box->lock);
    box->open = true;
    box->number = 7;
    pthread_mutex_unlock(&box->lock);
    return 0;
}

int main(void)
{
    struct room room = {.size = 2};
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&room.boxes[i].lock, 0);
    pthread_create(&thread, 0, writer, &room.boxes[1]);
    pthread_mutex_lock(&room.boxes[1].lock);
    if (room.boxes[1].open)
        assert(room.boxes[1].number == 7);
    pthread_mutex_unlock(&room.boxes[1].lock);
    pthread_join(thread, 0);
    assert(room.boxes[1].number == 7 && !room.boxes[0].open);
}
