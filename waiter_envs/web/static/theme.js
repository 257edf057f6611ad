// Light or dark: as the system has it, until somebody says otherwise.

const KEY = "waiter-envs theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];

function stored() {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

export function theme() {
  return document.documentElement.dataset.theme;
}

export function onTheme(listener) {
  listeners.push(listener);
}

function apply() {
  const wanted = stored() ?? (system.matches ? "dark" : "light");
  const changed = wanted !== theme();
  document.documentElement.dataset.theme = wanted;
  const button = document.getElementById("theme");
  if (button) {
    button.textContent = wanted === "dark" ? "Light" : "Dark";
  }
  if (changed) {
    listeners.forEach((listener) => listener(wanted));
  }
}

export function switchTheme() {
  try {
    localStorage.setItem(KEY, theme() === "dark" ? "light" : "dark");
  } catch {
    return;
  }
  apply();
}

system.addEventListener("change", apply);
document.getElementById("theme")?.addEventListener("click", switchTheme);
apply();
