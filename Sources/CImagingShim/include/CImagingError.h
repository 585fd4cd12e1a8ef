#pragma once

// The record that every function which can fail takes.
typedef struct {
  char text[480];
} minilab_error;
