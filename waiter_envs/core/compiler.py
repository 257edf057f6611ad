"""Compile rules together with the kernel that calls them, not each of them by itself.

Numba optimises each function with all that it calls, and emits machine code for it: a rule that
is called five functions deep, five times. But Python calls kernels only. So here a rule stays as
it was lowered until a kernel has been put together; that is optimised and emitted once, as a whole.

All this rests on internals of Numba (known in 0.60 to 0.68). Where one is missing, this file cannot
be imported and Numba compiles in its own way (`jit`): slower, to the same effect.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from numba._dynfunc import make_function
from numba.core import codegen, compiler, types

_RELIED_ON = (
    codegen.JITCodeLibrary._finalize_final_module,
    codegen.JITCodeLibrary._get_module_for_linking,
    codegen.JITCodeLibrary._optimize_final_module,
    codegen.JITCodeLibrary._optimize_functions,
    codegen.CPUCodegen._module_pass_manager,
    codegen.JITCodeLibrary.enable_object_caching,
    compiler.Compiler._compile_core,
    compiler.Compiler.define_pipelines,
    types.Function.get_call_type,
)

_signatures: dict[Any, Any] = {}

_SKIPPED = frozenset(
    (
        "annotate_types",
        "dead_branch_prune",
        "dump_parfor_diagnostics",
        "find_literally",
        "inline_closure_likes",
        "inline_inlinables",
        "literal_propagation",
        "literal_unroll",
        "make_function_op_code_to_jit_function",
        "nopython_supported_feature_validation",
        "rewrite_dynamic_raises",
        "rewrite_semantic_constants",
        "with_lifting",
    )
)
"""Passes for what no rule has: inner functions, comprehensions, `with`, arguments that are None."""


class _RuleLibrary(codegen.JITCodeLibrary):
    """The code of a rule and of what it calls, kept as it was lowered."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _KernelLibrary(codegen.JITCodeLibrary):
    """The code of a kernel: optimised as a whole, so not also function by function."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        """Optimise once: Numba's first round brings reference counts together, of which few are."""
        manager = self._codegen._module_pass_manager()
        if isinstance(manager, tuple):  # newer ones have a builder beside
            manager[0].run(self._final_module, manager[1])
        else:
            manager.run(self._final_module)


class _Compiler(compiler.Compiler):
    """Numba's compiler, less what kernels and rules have no use for."""

    library_class: Any

    def define_pipelines(self) -> list[Any]:
        """Return Numba's own passes, without the superfluous."""
        state = self.state
        state.library = self.library_class(state.targetctx.codegen(), state.func_id.func_qualname)
        # Numba looks for newly registered types whenever an array is read by index. None are.
        state.targetctx.refresh = _do_nothing
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [row for row in pipeline.passes if row[0].name() not in _SKIPPED]
            pipeline.finalize()
        return pipelines

    def _compile_core(self) -> Any:
        with _outermost():
            return super()._compile_core()


class RuleCompiler(_Compiler):
    """Compiles a rule as far as its kernel needs it."""

    library_class = _RuleLibrary

    def define_pipelines(self) -> list[Any]:
        """Return the passes of a rule, which end without anything that could be called."""
        pipelines = super().define_pipelines()
        self.state.targetctx.get_executable = _nothing_to_call
        return pipelines


class KernelCompiler(_Compiler):
    """Compiles a kernel with all the rules that it calls."""

    library_class = _KernelLibrary

    def define_pipelines(self) -> list[Any]:
        """Return the passes of a kernel, whose machine code can be stored on disk."""
        pipelines = super().define_pipelines()
        self.state.library.enable_object_caching()
        return pipelines


def _do_nothing() -> None:
    pass


def _nothing_to_call(library: Any, fndesc: Any, env: Any) -> Any:
    """Return what stands for a rule in Numba's tables: a function without machine code."""
    library.finalize()
    return make_function(
        fndesc.lookup_module(), fndesc.qualname, fndesc.qualname, 0, env, (library,)
    )


@contextlib.contextmanager
def _outermost() -> Iterator[None]:
    """Surround the compilation of a kernel, within which that of its rules takes place.

    What an operator returns for given types is looked up once, not at each of its uses: Numba tries
    every implementation of `+` or `==` in turn, a third of its work in Python. And nothing of what
    piles up is garbage yet, so the collector rests.
    """
    plain = types.Function.get_call_type

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        key = self, context, args, tuple(kws.items()) if kws else ()
        if key not in _signatures:
            _signatures[key] = plain(self, context, args, kws)
        return _signatures[key]

    if plain.__module__ == __name__:
        yield
        return
    collecting = gc.isenabled()
    gc.disable()
    types.Function.get_call_type = get_call_type  # type: ignore[method-assign]
    try:
        yield
    finally:
        types.Function.get_call_type = plain  # type: ignore[method-assign]
        if collecting:
            gc.enable()
