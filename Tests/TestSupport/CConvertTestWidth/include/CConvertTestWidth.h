#ifndef CCONVERTTESTWIDTH_H
#define CCONVERTTESTWIDTH_H

// Nothing is declared here. Linking this target sets how many tests run at once.

#endif
