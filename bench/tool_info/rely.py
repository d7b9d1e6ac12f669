"""Tool info of Rely for BenchExec: how it is called, and what its answers mean.

Where BenchExec does not have this module yet: PYTHONPATH=bench, and "tool_info.rely" as the name of the
tool in the benchmark definition.
"""

import os

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Rely decides whether a multi-threaded C program can go wrong."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("rely")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="rely")

    def name(self):
        return "Rely"

    def cmdline(self, executable, options, task, rlimits):
        options = list(options)
        if task.property_file:
            options += ["--property", task.property_file]
        data_model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if data_model and "--data-model" not in options:
            options += ["--data-model", data_model]
        # Rely's limit is one of wall-clock time, which is not shorter than the processor time of its one thread that computes.
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--timeout" not in options:
            options += ["--timeout", str(seconds)]
        if rlimits.memory and "--memory-limit" not in options:
            options += ["--memory-limit", str(max(rlimits.memory // 1_000_000, 1))]
        return [executable, "check", *options, *task.input_files]

    def determine_result(self, run):
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 10:
            return self._violated(run)
        if code == 20:
            if run.output.any_line_contains("the time limit was reached"):
                return result.RESULT_TIMEOUT
            if run.output.any_line_contains("the memory limit was reached"):
                return "OUT OF MEMORY"
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR

    def _violated(self, run):
        """The part of memory safety that is named last, else the property that was asked."""
        for line in reversed(run.output):
            if line.startswith("Violated: "):
                return f"{result.RESULT_FALSE_PROP}({line.removeprefix('Violated: ').strip()})"
        if "--property" not in run.cmdline:
            return result.RESULT_FALSE_PROP
        file = run.cmdline[run.cmdline.index("--property") + 1]
        name = os.path.splitext(os.path.basename(file))[0]
        return f"{result.RESULT_FALSE_PROP}({name})"
