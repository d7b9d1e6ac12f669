//EXPECT: SAFE
//ARGS: --check deadlocks
//REASON: No deadlock can happen
// That there is no negative number of arguments is no wait: the program ends.
int main(int count, char **strings)
{
    return count > 3;
}
