from collections import namedtuple

Point = namedtuple("Point", ["x", "y"])


# (array(record(16,8;key:0:int32,weight:8:float64),1,C), named(Point;x:float32,y:int64))
def kernel(records, point):
    for i in range(records.size):
        records[i].key += point.y
        records[i]["weight"] = point.x * 2
    moved = Point(point.x + 1, y=2)
    records[0] = records[1]
    records[1].weight = moved.x + moved[1]
