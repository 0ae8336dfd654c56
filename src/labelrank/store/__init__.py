"""Model folders: JSON and safetensors, atomic, checksummed, mapped into memory."""

from labelrank.store.fields import (
    Array,
    Field,
    Ids,
    Matrix,
    Names,
    Number,
    Part,
    Parts,
    Sparse,
    Tensors,
    Texts,
)
from labelrank.store.folder import FORMAT, VERSION, check_target, read_folder, write_folder
from labelrank.store.stored import Stored, load_model, register

__all__ = [
    "FORMAT",
    "VERSION",
    "Array",
    "Field",
    "Ids",
    "Matrix",
    "Names",
    "Number",
    "Part",
    "Parts",
    "Sparse",
    "Stored",
    "Tensors",
    "Texts",
    "check_target",
    "load_model",
    "read_folder",
    "register",
    "write_folder",
]
