// The first place of sorted items where a value could be inserted.
const /*@c_type*/ value = /*@value_expr*/;
long long place = 0, cuox_end = /*@count_expr*/;
while (place < cuox_end) {
    const long long middle = place + (cuox_end - place) / 2;
    if (/*@before_expr*/)
        place = middle + 1;
    else
        cuox_end = middle;
}
/*@store*/
