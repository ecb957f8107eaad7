"""The same bits in WebAssembly: calls of kernels are recorded here, and made again under Pyodide in Node."""
