"""The demo's files are the benchmark's, to the byte."""

import hashlib

import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from demo.split import DATA, ID, read_split, split_rows, write_split

# The sums the benchmark records for the competition: mlebench/competitions/spaceship-titanic/checksums.yaml.
MD5 = {
    "private/test.csv": "1cb99c65efecaba968128577722a83ef",
    "public/sample_submission.csv": "5414b5da6ebcff454de1c9ed39b73774",
    "public/test.csv": "8186bd4048aece25f1ed45708f8f34e1",
    "public/train.csv": "564a1614ecef9d9611cec4efdce4c412",
}


def test_the_written_files_have_the_benchmarks_checksums(tmp_path):
    write_split(read_split(), tmp_path)
    prepared = tmp_path / "spaceship-titanic" / "prepared"
    written = {path.relative_to(prepared).as_posix(): path for path in prepared.rglob("*.csv")}
    sums = {name: hashlib.md5(path.read_bytes()).hexdigest() for name, path in written.items()}
    assert sums == MD5


def test_the_id_lists_are_the_split_scikit_learn_draws():
    table = pd.read_csv(DATA / "train.csv")
    train, test = train_test_split(table, test_size=0.1, random_state=0)
    assert (DATA / "test_ids.txt").read_text().split() == test[ID].tolist()
    assert (DATA / "train_ids.txt").read_text().split() == train[ID].tolist()


def test_a_row_moves_as_a_whole_line():
    split = split_rows("PassengerId,Age,Transported\n1,2.0,True\n2,,False\n3,4.0,True\n", ["3", "2"], ["1"])
    assert split.answers == "PassengerId,Age,Transported\n3,4.0,True\n2,,False\n"
    assert split.test == "PassengerId,Age\n3,4.0\n2,\n"
    assert split.train == "PassengerId,Age,Transported\n1,2.0,True\n"
    assert split.sample_submission == "PassengerId,Transported\n3,False\n2,False\n"


def test_a_table_without_the_target_in_last_place_is_refused():
    with pytest.raises(ValueError, match="last column"):
        split_rows("PassengerId,Transported,Age\n", [], [])
