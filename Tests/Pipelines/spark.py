"""Assigns a population with Spark in any number of parts and with a worker killed, and compares it with one run of the tool:
spark.py TOOL CONFIG FOLDER"""
import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

tool, config, folder = sys.argv[1:]
os.environ["PYSPARK_PYTHON"] = sys.executable
visitors, marker = f"{folder}/visitors.jsonl", f"{folder}/killed"
with open(f"{folder}/expected.jsonl") as file:
    expected = file.read().splitlines()

# local[2, 4]: two threads, and a task that fails is tried up to four times.
spark = (
    SparkSession.builder.master("local[2, 4]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.local.dir", folder)
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def check(name, found):
    if found != expected:
        sys.exit(f"{name} gives something else")
    print(f"{name}: as one run", flush=True)


# A process for each partition. checkCode fails the task, and Spark retries it, if the tool does not end well.
command = f"{shlex.quote(tool)} assign --config {shlex.quote(config)} --reasons --threads 1"
for partitions in [1, 7, 40]:
    lines = spark.sparkContext.textFile(visitors, partitions)
    check(f"RDD.pipe, {lines.getNumPartitions()} partitions", lines.pipe(command, checkCode=True).collect())

# The first process that gets to it is killed amid its work.
killing = f"""bash -c 'if mkdir {marker} 2>/dev/null; then head -n 1000 | {command}; kill -9 $$; else {command}; fi'"""
check("RDD.pipe with a worker killed", spark.sparkContext.textFile(visitors, 7).pipe(killing, checkCode=True).collect())
assert os.path.isdir(marker)


# A process for each task, through pandas.
def assign(batches):
    import pandas

    for batch in batches:
        run = subprocess.run(
            shlex.split(command), input="\n".join(batch["value"]) + "\n", capture_output=True, text=True, check=True
        )
        yield pandas.DataFrame({"value": run.stdout.splitlines()})


frame = spark.read.text(visitors).mapInPandas(assign, "value string")
check("mapInPandas", [row["value"] for row in frame.collect()])

# Other partitions hold the same rows in another order.
shuffled = spark.read.text(visitors).repartition(11).mapInPandas(assign, "value string")
if sorted(row["value"] for row in shuffled.collect()) != sorted(expected):
    sys.exit("mapInPandas on shuffled rows gives something else")
print("mapInPandas on shuffled rows: as one run", flush=True)
spark.stop()
