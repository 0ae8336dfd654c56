"""Mulan's ARFF and XML: dense, sparse, quoted and nominal; what cannot be read says why."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import InputError
from labelrank.data import read_arff

XML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    '<label name="L1"><label name="the 2nd"></label></label></labels>'
)
HEAD = (
    "% a comment\n@relation 'a name: -C 2'\n\n"
    "@attribute f1 numeric\n@ATTRIBUTE 'f 2' {0, 1}\n"
    "@attribute L1 {0,1}\n@attribute 'the 2nd' { 0,1 }\n@data\n"
)


@pytest.fixture
def read(tmp_path):
    (tmp_path / "songs.xml").write_text(XML, encoding="utf-8")

    def read(body, head=HEAD, name="songs-train.arff"):
        content = (head + body).encode()
        packed = gzip.compress(content) if name.endswith(".gz") else content
        (tmp_path / name).write_bytes(packed)
        return read_arff(tmp_path / name)

    return read


@pytest.mark.parametrize("name", ["songs-train.arff", "songs-train.arff.gz", "songs.ARFF"])
def test_dense_rows(read, name):
    data = read("1.5,1,0,1\r\n% a note\n\n -2e-1 , 0 , 1 , 0\n", name=name)
    assert isinstance(data.X, np.ndarray)
    assert data.X.dtype == data.Y.dtype == np.float32
    np.testing.assert_array_equal(data.X, np.array([[1.5, 1], [-0.2, 0]], np.float32))
    assert data.Y.toarray().tolist() == [[0, 1], [1, 0]]
    assert data.label_names == ["L1", "the 2nd"]
    assert data.name == name.split(".")[0]


def test_sparse_rows(read):
    data = read("{0 1.5, 3 1}\n{}\n{ 2 1 ,1 1}\n{  }\n")
    assert sp.issparse(data.X)
    assert data.X.toarray().tolist() == [[1.5, 0], [0, 0], [0, 1], [0, 0]]
    assert data.Y.toarray().tolist() == [[0, 1], [0, 0], [1, 0], [0, 0]]


def test_quoted_names_and_cells(read):
    head = (
        "@attribute 'it\\'s, {odd}' numeric\n@attribute \"two words\" real\n"
        "@attribute 'the 2nd' {'0',\"1\"}\n@attribute colour {red,'dark blue',\"a,b\"}\n"
        "@attribute L1 {0,1}\n@DATA\n"
    )
    data = read("1,2,'1',red,\"0\"\n3,4,0,'a,b',1\n5,6,0,\"dark blue\",0\n", head)
    assert data.X.tolist() == [[1, 2, 0], [3, 4, 2], [5, 6, 1]]
    assert data.label_names == ["the 2nd", "L1"]  # in the order of the attributes
    assert data.Y.toarray().tolist() == [[1, 0], [0, 1], [0, 0]]


def test_nominal_values_that_are_numbers_keep_them(read):
    head = "@attribute size {5,2.5,-1}\n@attribute L1 {0,1}\n@attribute 'the 2nd' {0,1}\n@data\n"
    assert read("2.5,0,0\n-1,0,1\n5,1,0\n", head).X.tolist() == [[2.5], [-1], [5]]


def test_labels_of_another_file_may_be_named(tmp_path, read):
    (tmp_path / "other.xml").write_text('<labels><label name="f1"/></labels>')
    read("0.5,1,0,1\n{0 3}\n")
    data = read_arff(tmp_path / "songs-train.arff", xml=tmp_path / "other.xml")
    assert data.label_names == ["f1"]
    assert data.Y.toarray().tolist() == [[0.5], [3]]


def test_the_xml_with_the_longest_fitting_name_counts(tmp_path, read):
    (tmp_path / "songs-tr.xml").write_text('<labels><label name="f1"/></labels>')
    (tmp_path / "songs-train-x.xml").write_text('<labels><label name="L1"/></labels>')
    assert read("1,1,0,1\n").label_names == ["f1"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("?,1,0,1", "line 10: a missing value '?' cannot be used"),
        ("{0 ?}", "line 10: a missing value '?' cannot be used"),
        (",1,0,1", "line 10"),
        ("one,1,0,1", "line 10: could not convert string to float: 'one'"),
        ("nan,1,0,1", "line 10: the value 'nan' is not a finite number"),
        ("-Infinity,1,0,1", "line 10: the value '-Infinity' is not a finite number"),
        ("1e400,1,0,1", "line 10: the value '1e400' is not a finite number"),
        ("1e39,1,0,1", "songs-train"),
        ("1,2,0,1", "line 10: the value '2' is not among those declared"),
        ("1,1,yes,1", "line 10: the value 'yes' is not among those declared"),
        ("1,1,0", "line 10: 3 values where 4 attributes are declared"),
        ("1,1,0,1,0", "line 10: 5 values where 4 attributes are declared"),
        ("1,1,0,1,", "line 10: 5 values where 4 attributes are declared"),
        ("1,'1',0", "line 10: 3 values where 4 attributes are declared"),
        ("1,'1,0,1", "line 10"),
        ("{0 1,0 2}", "line 10: attribute number 0 stands twice"),
        ("{0 1,1 1,0 2}", "line 10: attribute number 0 stands twice"),
        ("{4 1}", "line 10: attribute number '4' must lie in 0..3"),
        ("{-1 1}", "line 10: attribute number '-1' must lie in 0..3"),
        ("{0.5 1}", "line 10: attribute number '0.5' must lie in 0..3"),
        ("{0}", "line 10"),
        ("{0 1,}", "line 10: attribute number '' must lie in 0..3"),
        ("{0 1", "line 10: a sparse row must end in }"),
        ("{1 3}", "line 10: the value '3' is not among those declared"),
    ],
)
def test_bad_rows(read, row, says):
    with pytest.raises(InputError) as caught:
        read("1,1,0,1\n" + row + "\n")
    assert "songs-train.arff" in str(caught.value)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("@attribute L1 {0,1}\n@data\n", "has no attribute 'the 2nd', which the XML names"),
        ("@data\n", "declares no attribute before @data"),
        ("", "is empty"),
        ("@relation r\n", "has no line @data"),
        ("@attribute L1 {0,1}\n", "has no line @data"),
        ("@attribute L1\n@data\n", "line 1: cannot read '@attribute L1'"),
        ("@attribute d date 'yyyy'\n@data\n", "line 1: attribute 'd' is of type \"date 'yyyy'\""),
        ("@attribute s string\n@data\n", "line 1: attribute 's' is of type 'string'"),
        (HEAD + "% no rows\n\n", "has no rows after @data"),
        ("@attribute L1 {0,1}\n" + HEAD + "0,1,1,0,1\n", "'L1' stands twice"),
    ],
)
def test_bad_heads(read, head, says):
    with pytest.raises(InputError, match=says) as caught:
        read("", head)
    assert "songs-train.arff" in str(caught.value)


def test_a_negative_label_is_told_with_its_file(read):
    head = "@attribute f numeric\n@attribute L1 {-1,1}\n@attribute 'the 2nd' {0,1}\n@data\n"
    with pytest.raises(InputError, match="Y has the value -1 in row") as caught:
        read("5,-1,0\n", head)
    assert "songs-train.arff" in str(caught.value)


def test_bytes_that_are_not_utf8(tmp_path, read):
    read("1,1,0,1\n")
    (tmp_path / "songs-train.arff").write_bytes(HEAD.encode() + b"1,1,0,1\n1,\xe9,0,1\n")
    with pytest.raises(InputError, match=r"line 10 is not UTF-8 \(byte 0xe9\)"):
        read_arff(tmp_path / "songs-train.arff")


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"no xml",
        XML.encode()[:-9],
        b"<labels></labels>",
        b'<labels><label title="L1"/></labels>',
        b'<?xml version="1.0" encoding="martian"?><labels><label name="L1"/></labels>',
        b'<labels><label name="\xff"/></labels>',
    ],
)
def test_bad_xml(tmp_path, read, xml):
    read("1,1,0,1\n")
    (tmp_path / "songs.xml").write_bytes(xml)
    with pytest.raises(InputError, match=r"songs\.xml"):
        read_arff(tmp_path / "songs-train.arff")


def test_missing_files(tmp_path, read):
    with pytest.raises(InputError, match="no XML file that names its labels stands beside it"):
        read("1,1,0,1\n", name="alone.arff")
    with pytest.raises(InputError, match=r"songs-none.arff does not exist"):
        read_arff(tmp_path / "songs-none.arff")
    read("1,1,0,1\n")
    for xml in ("none.xml", "."):  # missing, and a folder
        with pytest.raises(InputError):
            read_arff(tmp_path / "songs-train.arff", xml=tmp_path / xml)
