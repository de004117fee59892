enum Vectors {}
