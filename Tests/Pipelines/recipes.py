"""Runs the recipes of the article on pipelines as they are printed: recipes.py TOOL CONFIG VISITORS FOLDER

Each recipe runs in a folder of its own, with the files that the article names and the tool on the PATH. What it leaves must
be the rows of one run of the tool, in any order."""
import csv
import os
import shutil
import subprocess
import sys

tool, config, visitors, folder = sys.argv[1:]
with open("Sources/ConvertAnalysis/ConvertAnalysis.docc/Pipelines.md") as file:
    article = file.read()
os.environ["PATH"] = os.path.dirname(tool) + os.pathsep + os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
os.environ["PYSPARK_PYTHON"] = sys.executable
columns = ["visitorId", "experience", "variation", "reason"]


def recipe(title, language):
    section = article.split(f"\n## {title}\n")[1].split("\n## ")[0]
    blocks = section.split(f"```{language}\n")
    if len(blocks) != 2:
        sys.exit(f"the section '{title}' has {len(blocks) - 1} recipes")
    return blocks[1].split("```")[0]


def prepare(name):
    place = f"{folder}/{name}"
    os.makedirs(place)
    shutil.copy(config, f"{place}/config.json")
    os.symlink(visitors, f"{place}/visitors.jsonl")
    os.symlink(f"{folder}/visitors.parquet", f"{place}/visitors.parquet")
    os.chdir(place)


def rows_of_csv(lines):
    return sorted(tuple(row) for row in csv.reader(lines))


def rows_of_parquet(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    if table.column_names != columns:
        sys.exit(f"{path} has the columns {table.column_names}")
    return sorted(tuple(row.values()) for row in table.to_pylist())


def counts(rows):
    found = {}
    for row in rows:
        found[row[1:3]] = found.get(row[1:3], 0) + 1
    return sorted((*pair, count) for pair, count in found.items())


def check(name, found, wanted):
    if found != wanted:
        sys.exit(f"{name}: gives something else than one run: {str(found)[:200]}, not {str(wanted)[:200]}")
    print(f"{name}: as one run", flush=True)


def shell(script):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout


with open(visitors) as file:
    one_run = subprocess.run(
        [tool, "assign", "--config", config, "--long", "--only-assigned", "--no-header"],
        stdin=file, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout
expected = rows_of_csv(one_run.splitlines())
if not expected:
    sys.exit("no visitor is assigned")

import polars

polars.read_ndjson(visitors).write_parquet(f"{folder}/visitors.parquet")

prepare("shell")
# GNU parallel asks to be cited, on standard error.
shell(recipe("A shell", "bash"))
with open("assigned.csv") as file:
    check("A shell", file.read(), one_run)

prepare("duckdb")
shown = shell(recipe("DuckDB", "bash"))
check("DuckDB", rows_of_parquet("assigned.parquet"), expected)
if not all(str(row[2]) in shown for row in counts(expected)):
    sys.exit(f"DuckDB counts something else: {shown}")

prepare("polars")
exec(recipe("polars", "python"), {})
check("polars", rows_of_parquet("assigned.parquet"), expected)

from pyspark.sql import SparkSession

prepare("pandas")
# Spark's processes read relative paths from the folder that it starts in.
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.local.dir", folder)
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
exec(recipe("Spark, with pandas", "python"), {"spark": spark})
check("Spark, with pandas", rows_of_parquet("assigned.parquet"), expected)
exec(recipe("Spark, with a pipe", "python"), {"spark": spark})
lines = [row["value"] for row in spark.read.text("assigned").collect()]
check("Spark, with a pipe", rows_of_csv(lines), expected)
for statement in recipe("Spark SQL", "sql").split(";\n")[:-1]:
    answer = spark.sql(statement)
found = [tuple(row) for row in answer.collect()]
check("Spark SQL", found, counts(expected))
spark.stop()
