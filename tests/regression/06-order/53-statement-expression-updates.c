//EXPECT: UNKNOWN
//ARGS: --check assertions,undefined
//REASON: the order of evaluation around a statement expression
// `count += …` reads `count`; C has no order for that and for what the statement expression does to `count` itself. (A call that does it comes first.)
int main(void) {
    int count = 1;
    count += ({ count = 3; 4; });
    return count;
}
