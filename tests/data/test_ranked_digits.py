"""Ranked digits and the files they come from."""

import gzip
import struct

import numpy as np
import pytest

from labelrank import InputError
from labelrank.data import RankedDigits, read_idx
from labelrank.data.digit_images import PARTS, bundled_digits


def idx(array):
    head = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    return head + array.astype(np.uint8).tobytes()


def test_idx_files_plain_and_packed(tmp_path):
    array = np.arange(24).reshape(2, 3, 4)
    (tmp_path / "a").write_bytes(idx(array))
    (tmp_path / "b.gz").write_bytes(gzip.compress(idx(array)))
    for name in ("a", "b.gz"):
        np.testing.assert_array_equal(read_idx(tmp_path / name), array)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\0\0", "no idx file"),
        (b"PNG...", "no idx file"),
        (idx(np.zeros((2, 2)))[:-1], r"shape \(2, 2\) needs 4 bytes and there are 3"),
        (idx(np.zeros((2, 2))) + b"\0", "there are 5"),
        (b"\0\0\x0d\x01" + b"\0" * 8, "type 0x0d"),
        (b"\0\0\x08\x03\0\0\0\1", "3 dimensions are not all there"),
        (b"\0\0\x08\x02" + b"\xff" * 8, "damaged or cut short"),
        (gzip.compress(idx(np.zeros(9)), mtime=0)[:-9], "cut short"),
    ],
)
def test_damaged_idx_files_are_told(tmp_path, content, says):
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(InputError, match=says):
        read_idx(tmp_path / "bad")


def test_pictures_hold_their_digits_and_nothing_overlaps():
    pictures = RankedDigits(60, canvas=48, seed=3)
    for i in range(60):
        layout = pictures.layout(i)
        image, grades = pictures[i]
        assert 3 <= len(layout.digits) <= 6
        assert len(set(layout.digits)) == len(layout.digits)
        assert image.shape == (48, 48)
        assert image.max() > 60
        by_scale = layout.digits[np.argsort(-layout.scales)]
        assert np.argsort(-grades, kind="stable")[: len(by_scale)].tolist() == by_scale.tolist()
        assert sorted(grades[grades > 0]) == list(range(1, len(by_scale) + 1))
        assert ((layout.scales >= 1) & (layout.scales <= 4)).all()


def test_every_digit_of_a_picture_stands_alone():
    """A picture of one digit more differs only where that digit is: pixels are never shared."""
    pictures = RankedDigits(30, canvas=64, digits=5)
    for i in range(30):
        layout = pictures.layout(i)
        parts = [
            pictures._picture(type(layout)(*(column[[j]] for column in layout))) > 0
            for j in range(5)
        ]
        assert (np.sum(parts, axis=0) <= 1).all()
        assert ((pictures._picture(layout) > 0) == np.any(parts, axis=0)).all()


def test_sizes_follow_the_scale():
    """The ink of a digit at scale s is s times as large as at scale 1, in both directions."""
    ink = []
    for scale in (1.0, 2.0, 4.0):
        pictures = RankedDigits(40, digits=1, canvas=224, scales=[scale], fixed=True)
        areas = [(image > 0).sum() for image, _ in pictures]
        ink.append(np.mean(areas))
    assert ink[1] / ink[0] == pytest.approx(4, rel=0.1)
    assert ink[2] / ink[0] == pytest.approx(16, rel=0.15)


def test_fixed_scales_are_given_to_every_picture():
    pictures = RankedDigits(5, scales=[1, 2, 3, 4], fixed=True)
    assert all(pictures.layout(i).scales.tolist() == [4, 3, 2, 1] for i in range(5))


def test_scales_are_even():
    scales = np.concatenate([RankedDigits(300, digits=6).layout(i).scales for i in range(300)])
    assert scales.mean() == pytest.approx(2.5, abs=0.08)
    assert scales.var() == pytest.approx(9 / 12, abs=0.06)


def test_a_picture_depends_on_seed_part_and_number_alone():
    one, more = RankedDigits(3, canvas=32), RankedDigits(10, canvas=32)
    for i in range(3):
        np.testing.assert_array_equal(one[i][0], more[i][0])
    np.testing.assert_array_equal(more.images(slice(2, 5))[0], more[2][0])
    np.testing.assert_array_equal(more.Y.toarray(), [grades for _, grades in more])
    np.testing.assert_array_equal(more[-1][0], more[9][0])
    for other in (RankedDigits(3, canvas=32, seed=1), RankedDigits(3, canvas=32, part="test")):
        assert (other[0][0] != one[0][0]).any()
    with pytest.raises(IndexError, match="picture 3 of 3"):
        one[3]


def test_parts_share_no_digit():
    sizes = [sum(len(images) for images in bundled_digits(part).images) for part in PARTS]
    assert sizes == [1100, 300, 397]


def test_as_a_data_set():
    data = RankedDigits(20, canvas=16).dataset()
    assert (len(data), data.n_features, data.n_labels) == (20, 256, 10)
    assert data.X.max() <= 1


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"n": -1}, "n must be a whole number from 0"),
        ({"canvas": 8}, "canvas must be a whole number from 16"),
        ({"digits": 11}, "digits must be a number from 1 to 10"),
        ({"digits": (5, 3)}, "digits must be"),
        ({"digits": (1, 2, 3)}, "digits must be"),
        ({"scales": (4, 1)}, "two ends of a range"),
        ({"scales": (1, 2, 3)}, "two ends of a range"),
        ({"scales": (0.1, 1)}, "scales must lie in"),
        ({"part": "valid"}, "part must be train, validation or test"),
    ],
)
def test_what_cannot_be_asked_for(params, says):
    with pytest.raises(InputError, match=says):
        RankedDigits(**{"n": 1, **params})


def test_digits_that_find_no_place():
    with pytest.raises(InputError, match="find no place beside each other"):
        RankedDigits(1, scales=[7] * 4, fixed=True)[0]


def written(folder, images, labels):
    for part in ("train", "t10k"):
        (folder / f"{part}-images-idx3-ubyte").write_bytes(idx(images))
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(labels)))


def test_files_of_ones_own(tmp_path):
    images = np.zeros((60, 6, 5))
    images[:, 1:5, 2] = 200
    written(tmp_path, images, np.arange(60) % 10)
    for part, most in (("train", 50), ("validation", 10)):
        pictures = RankedDigits(4, part=part, source=tmp_path, canvas=32)
        assert sum(len(i) for i in pictures._digits.images) == most
        assert 100 < pictures[0][0].max() <= 255


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (np.arange(59) % 10, "do not belong together"),
        (np.arange(60) % 11, "the labels reach 10"),
        (np.arange(60) % 9, "no image of the digit 9"),
    ],
)
def test_files_that_do_not_fit(tmp_path, labels, says):
    written(tmp_path, np.ones((60, 4, 4)), labels)
    with pytest.raises(InputError, match=says):
        RankedDigits(1, source=tmp_path)


def test_a_folder_without_the_files(tmp_path):
    with pytest.raises(InputError, match="has no train-images-idx3-ubyte"):
        RankedDigits(1, source=tmp_path)


def test_mnist_itself(data_dir):
    folder = data_dir / "ranked" / "mnist"
    if not folder.is_dir():
        pytest.skip("no ranked/mnist in the data folder")
    pictures = RankedDigits(2, part="test", source=folder, canvas=224)
    assert sum(len(i) for i in pictures._digits.images) == 10_000
    assert pictures[0][0].shape == (224, 224)
