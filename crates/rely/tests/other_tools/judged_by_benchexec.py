"""The tool info of Rely at work in the real BenchExec: it is loaded, its command lines are run, their answers are judged.

judged_by_benchexec.py DIRECTORY: the folder of the binary. Runs in the folder of the workspace. Says what is wrong, and ends with exit code 1 if something is.
"""

import pathlib
import subprocess
import sys
import tempfile
import types

import benchexec.model
import benchexec.tools.template as template
import benchexec.util

MEMORY_SAFETY = "G valid-free", "G valid-deref", "G valid-memtrack"
MODELS = "crates/rely/tests/models/"

# A program, the name of the property and its formulas, the data model, further options, the answer.
TASKS = [
    (MODELS + "nondeterministic.c", "unreach-call", ["G ! call(reach_error())"], "LP64", [], "false(unreach-call)"),
    (MODELS + "nondeterministic.c", "no-overflow", ["G ! overflow"], "ILP32", [], "true"),
    ("examples/lost-update.c", "no-data-race", ["G ! data-race"], "ILP32", [], "false(no-data-race)"),
    ("examples/deadlocks/cycle.c", "no-deadlock", ["G ! deadlock"], "LP64", [], "false(no-deadlock)"),
    ("examples/memory/use-after-free.c", "valid-memsafety", MEMORY_SAFETY, "LP64", [], "false(valid-deref)"),
    ("examples/memory/double-free.c", "valid-memsafety", MEMORY_SAFETY, "LP64", [], "false(valid-free)"),
    (MODELS + "no-body.c", "no-data-race", ["G ! data-race"], "LP64", [], "unknown"),
    (MODELS + "endless.rely", None, [], "LP64", ["--timeout", "1"], "TIMEOUT"),
    ("examples/lost-update.c", None, [], "LP64", [], "false"),
    ("examples/no-such-file.c", None, [], "LP64", [], "ERROR"),
]


def answer(tool, executable, task, folder):
    program, name, formulas, data_model, options, _ = task
    property_file = None
    if name:
        property_file = str(pathlib.Path(folder) / f"{name}.prp")
        text = "".join(f"CHECK( init(main()), LTL({formula}) )\n" for formula in formulas)
        pathlib.Path(property_file).write_text(text)
    about = {"language": "C", "data_model": data_model}
    limits = template.BaseTool2.ResourceLimits(cputime=60, walltime=60, memory=4_000_000_000)
    command = benchexec.model.cmdline_for_run(
        tool, executable, options, [program], None, property_file, about, limits
    )
    done = subprocess.run(command, capture_output=True, text=True)
    run = template.BaseTool2.Run(
        command,
        benchexec.util.ProcessExitCode.create(value=done.returncode),
        template.BaseTool2.RunOutput(done.stdout.splitlines(keepends=True)),
        None,
    )
    return tool.determine_result(run), command, done


def main():
    sys.path.insert(0, "bench")
    config = types.SimpleNamespace(container=False)
    _, tool = benchexec.model.load_tool_info("tool_info.rely", config)
    locator = template.BaseTool2.ToolLocator(tool_directory=sys.argv[1])
    executable = tool.executable(locator)
    mistakes = 0
    if not tool.version(executable)[:1].isdigit():
        print(f"the version is {tool.version(executable)}")
        mistakes += 1
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            found, command, done = answer(tool, executable, task, folder)
            if found != task[-1]:
                print(f"{' '.join(command)}: {found}, not {task[-1]}\n{done.stdout}{done.stderr}")
                mistakes += 1
    sys.exit(min(mistakes, 1))


main()
