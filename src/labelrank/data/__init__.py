"""Data in: data sets, readers and writers, splits, and the catalog of named sets."""

from labelrank.data.catalog import CATALOG, Entry
from labelrank.data.dataset import Dataset
from labelrank.data.formats.arff import read_arff
from labelrank.data.formats.idx import read_idx
from labelrank.data.formats.mat import read_mat
from labelrank.data.formats.npz import read_npz, write_npz
from labelrank.data.formats.orders import read_orders
from labelrank.data.formats.rankings import ranking_writer, read_ranking, write_ranking
from labelrank.data.formats.svmlight import Groups, read_qid, read_svmlight
from labelrank.data.formats.tables import read_items, write_jsonl
from labelrank.data.formats.xmc import read_matrix, read_names, read_xmc, write_xmc, xmc_writer
from labelrank.data.items import Items, in_language, merged_tags
from labelrank.data.loading import load
from labelrank.data.mapped import read_mapped, write_mapped
from labelrank.data.python_docs import python_docs
from labelrank.data.ranked_digits import RankedDigits
from labelrank.data.splits import MultilabelStratifiedKFold, half_of_the_tags, portions
from labelrank.data.streams import Stream, stream
from labelrank.data.synthetic import SyntheticExtreme
from labelrank.data.tag_settings import Settings
from labelrank.data.text import TagKeys, Words
from labelrank.data.things import Rows, Things

__all__ = [
    "CATALOG",
    "Dataset",
    "Entry",
    "Groups",
    "Items",
    "MultilabelStratifiedKFold",
    "RankedDigits",
    "Rows",
    "Settings",
    "Stream",
    "SyntheticExtreme",
    "TagKeys",
    "Things",
    "Words",
    "half_of_the_tags",
    "in_language",
    "load",
    "merged_tags",
    "portions",
    "python_docs",
    "ranking_writer",
    "read_arff",
    "read_idx",
    "read_items",
    "read_mapped",
    "read_mat",
    "read_matrix",
    "read_names",
    "read_npz",
    "read_orders",
    "read_qid",
    "read_ranking",
    "read_svmlight",
    "read_xmc",
    "stream",
    "write_jsonl",
    "write_mapped",
    "write_npz",
    "write_ranking",
    "write_xmc",
    "xmc_writer",
]
