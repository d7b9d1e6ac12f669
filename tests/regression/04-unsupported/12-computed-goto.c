//EXPECT: UNKNOWN
//REASON: not supported
// Labels as values are not supported.
int main(void)
{
    void *l = &&end;
    goto *l;
end:
    return 0;
}
