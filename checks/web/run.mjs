// Plays recorded calls under Pyodide: node run.mjs LIBRARY PLAYING FOLDER
import { readdirSync, readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [library, playing, folder] = process.argv.slice(2);
const pyodide = await loadPyodide();
pyodide.FS.mkdir("/web");
pyodide.FS.writeFile("/web/_engine.abi3.so", readFileSync(library));
pyodide.FS.writeFile("/web/playing.py", readFileSync(playing));
const begun = pyodide.runPython(`
import platform, sys
sys.path.insert(0, "/web")
from playing import Player, play_file
player = Player()
f"Python {platform.python_version()}, {platform.machine()}, the code for {player.code}"
`);
console.log(`Pyodide ${pyodide.version}, Node ${process.version}: ${begun}`);
let faults = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".calls")).sort()) {
  pyodide.FS.writeFile("/web/calls", readFileSync(`${folder}/${file}`));
  const [calls, bytes, found] = pyodide.runPython(`play_file(player, "/web/calls")`).toJs();
  faults += found.length;
  const verdict = found.length ? `${found.length} DIFFER` : "the same";
  console.log(`  ${file.replace(".calls", "").padEnd(22)} ${verdict}: ${calls} calls, ${(bytes / 1e6).toFixed(1)} MB`);
  for (const fault of found.slice(0, 5)) console.log(`    ${fault}`);
}
process.exit(faults ? 1 : 0);
