//! Doxygen comments as docstrings: parts, and text without marks.

/// The width that paragraphs are filled to.
const WIDTH: usize = 96;

/// A comment in parts, as plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The description: paragraphs, lists and code, each of which may have several lines. The first is the summary.
    pub text: Vec<String>,
    /// Parameters: names as the comment has them, and what it says of each, in one line.
    pub parameters: Vec<(String, String)>,
    /// What is returned, in lines.
    pub returns: Vec<String>,
    /// Notes and warnings, with their titles.
    pub notes: Vec<(&'static str, String)>,
}

/// The part of a comment that a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Text,
    Parameter,
    Returns,
    Note,
    /// Left out: references, groups, authors.
    Dropped,
}

/// The kind of a command that begins a part.
enum Command {
    Begins(Part),
    Noted(&'static str),
    Titled,
    /// Lines up to the command that ends them are kept as they are.
    Verbatim(&'static str),
    /// Lines up to the command that ends them are left out.
    Hidden(&'static str),
    /// A line that is left out alone.
    Line,
}

fn command(name: &str) -> Option<Command> {
    Some(match name {
        "brief" | "short" | "details" | "abstract" => Command::Begins(Part::Text),
        "param" | "tparam" => Command::Begins(Part::Parameter),
        "return" | "returns" | "result" | "retval" => Command::Begins(Part::Returns),
        "note" | "remark" | "remarks" => Command::Noted("Note"),
        "warning" | "attention" => Command::Noted("Warning"),
        "deprecated" => Command::Noted("Deprecated"),
        "pre" => Command::Noted("Before the call"),
        "post" => Command::Noted("After the call"),
        "bug" => Command::Noted("Known bug"),
        "throw" | "throws" | "exception" => Command::Noted("Raises"),
        "since" => Command::Noted("Since"),
        "par" | "section" | "subsection" | "subsubsection" | "paragraph" => Command::Titled,
        "sa" | "see" | "author" | "authors" | "version" | "date" | "copyright" | "todo"
        | "test" | "relates" | "related" => Command::Begins(Part::Dropped),
        "code" => Command::Verbatim("endcode"),
        "verbatim" => Command::Verbatim("endverbatim"),
        "xmlonly" => Command::Hidden("endxmlonly"),
        "latexonly" => Command::Hidden("endlatexonly"),
        "htmlonly" => Command::Hidden("endhtmlonly"),
        "manonly" => Command::Hidden("endmanonly"),
        "rtfonly" => Command::Hidden("endrtfonly"),
        "dot" => Command::Hidden("enddot"),
        "defgroup" | "addtogroup" | "ingroup" | "weakgroup" | "file" | "fn" | "def" | "typedef"
        | "var" | "enum" | "struct" | "union" | "class" | "name" | "page" | "mainpage"
        | "anchor" | "internal" | "cond" | "endcond" | "if" | "ifnot" | "else" | "elseif"
        | "endif" | "hideinitializer" | "nosubgrouping" | "showinitializer" => Command::Line,
        _ => return None,
    })
}

impl Comment {
    /// Reads a comment, whose marks at the beginnings of lines are gone.
    pub fn read(doc: &str) -> Self {
        let mut reader = Reader::default();
        for line in doc.lines() {
            reader.line(line);
        }
        reader.finish();
        reader.comment
    }

    /// True if there is nothing in it but a description.
    fn is_plain(&self) -> bool {
        self.parameters.is_empty() && self.returns.is_empty() && self.notes.is_empty()
    }
}

/// A comment without parameters as a docstring.
pub fn docstring(doc: &str) -> String {
    if !has_commands(doc) {
        // Its layout is its author's.
        let lines: Vec<String> = doc.lines().map(inline_line).collect();
        return lines.join("\n").trim().to_owned();
    }
    let comment = Comment::read(doc);
    let mut parts = comment.text.clone();
    if !comment.is_plain() {
        parts.extend(notes(&comment));
        if !comment.returns.is_empty() {
            parts.push(section("Returns", &comment.returns));
        }
    }
    parts.join("\n\n")
}

/// True if a comment has a command that begins a part, or one that stands for a mark.
pub fn has_commands(doc: &str) -> bool {
    doc.lines().any(|line| {
        let line = line.trim_start();
        let begins = command_of(line).is_some_and(|(name, _)| !name.is_empty());
        begins
            || second_command(line).is_some()
            || matches!(line.trim(), "@{" | "@}" | "\\{" | "\\}")
    })
}

/// The notes of a comment as paragraphs.
pub fn notes(comment: &Comment) -> Vec<String> {
    let lines = comment.notes.iter().map(|(title, text)| {
        let text = match text.is_empty() {
            true => format!("{title}."),
            false => format!("{title}: {text}"),
        };
        fill(&text, "", "    ")
    });
    lines.collect()
}

/// A titled list.
pub fn section(title: &str, lines: &[String]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| fill(line, "    ", "        "))
        .collect();
    format!("{title}:\n{}", lines.join("\n"))
}

/// A command at the beginning of a line, and the rest of the line.
fn command_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(['\\', '@'])?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        .then_some((name, rest))
}

/// Where in a line, behind other text, a command begins a part: `Opens it. @return 0, or -1`. Only those that are
/// written so; others are mentioned in texts.
fn second_command(line: &str) -> Option<usize> {
    let begin = line.len() - line.trim_start().len();
    line.match_indices(['\\', '@'])
        .map(|(at, _)| at)
        .filter(|&at| at > begin)
        .find(|&at| {
            let (before, from) = line.split_at(at);
            before.ends_with(char::is_whitespace)
                && before.matches('`').count() % 2 == 0
                && matches!(
                    command_of(from),
                    Some((
                        "return" | "returns" | "param" | "note" | "warning" | "see" | "sa",
                        rest
                    )) if rest.starts_with([' ', '\t', '['])
                )
        })
}

#[derive(Default)]
struct Reader {
    comment: Comment,
    part: Option<Part>,
    /// The lines of the paragraph or item that is being read.
    open: String,
    /// The title of an open note.
    title: &'static str,
    /// The command that ends lines that are kept or left out.
    until: Option<(&'static str, bool)>,
    /// Lines of code.
    code: Vec<String>,
}

impl Reader {
    fn line(&mut self, raw: &str) {
        if let Some((end, kept)) = self.until {
            let ends = [format!("\\{end}"), format!("@{end}")];
            let at = ends.iter().find_map(|end| raw.find(end.as_str()));
            let (inside, behind) = match at {
                Some(at) => (&raw[..at], Some(&raw[at + 1 + end.len()..])),
                None => (raw, None),
            };
            if kept && (behind.is_none() || !inside.trim().is_empty()) {
                self.code.push(inside.trim_end().to_owned());
            }
            if let Some(behind) = behind {
                self.until = None;
                self.close_code();
                if !behind.trim().is_empty() {
                    self.line(behind);
                }
            }
            return;
        }
        if let Some(at) = second_command(raw) {
            self.line(&raw[..at]);
            self.line(&raw[at..]);
            return;
        }
        let line = raw.trim();
        if line.is_empty() || matches!(line, "@{" | "@}" | "\\{" | "\\}") {
            self.close();
            // A paragraph behind one of a part's is of the description again, but for what is left out.
            if self.part != Some(Part::Dropped) {
                self.part = None;
            }
            return;
        }
        if let Some((name, rest)) = command_of(line) {
            match command(name) {
                Some(Command::Begins(part)) => {
                    self.close();
                    self.part = Some(part);
                    match name {
                        // `\retval NAME text`
                        "retval" => {
                            let rest = rest.trim();
                            let (value, text) = rest.split_once(' ').unwrap_or((rest, ""));
                            self.open = format!("{value}: {}", text.trim());
                        }
                        _ => self.open = rest.to_owned(),
                    }
                    return;
                }
                Some(Command::Noted(title)) => {
                    self.close();
                    self.part = Some(Part::Note);
                    self.title = title;
                    self.open = rest.to_owned();
                    // `\note` alone announces text even if that comes behind an empty line.
                    return;
                }
                Some(Command::Titled) => {
                    self.close();
                    self.part = None;
                    let title = match name {
                        "par" => rest.trim(),
                        // The first word is a label.
                        _ => rest.trim().split_once(' ').map_or("", |(_, title)| title),
                    };
                    let title = inline(title);
                    if !title.is_empty() {
                        let end = if title.ends_with([':', '.']) { "" } else { ":" };
                        self.comment.text.push(format!("{title}{end}"));
                    }
                    return;
                }
                Some(Command::Verbatim(end)) => {
                    self.close();
                    self.until = Some((end, true));
                    let rest = rest.trim();
                    // `\code{.c}` names a language.
                    let rest = match rest.strip_prefix('{') {
                        Some(inside) => inside.split_once('}').map_or("", |(_, rest)| rest),
                        None => rest,
                    };
                    if !rest.is_empty() {
                        self.line(rest);
                    }
                    return;
                }
                Some(Command::Hidden(end)) => {
                    self.close();
                    self.until = Some((end, false));
                    self.line(rest);
                    return;
                }
                Some(Command::Line) => {
                    self.close();
                    return;
                }
                // `\li` and `\arg` are items; other commands are marks inside a paragraph, or stand for boilerplate.
                None if matches!(name, "li" | "arg") => {
                    self.item(rest);
                    return;
                }
                // `\notefnerr` and its like, alone on a line, stand for paragraphs that are not here.
                None if rest.trim().is_empty() && !is_mark(name) && name != "n" => {
                    self.close();
                    return;
                }
                None => {}
            }
        }
        if let Some(rest) = line
            .strip_prefix("- ")
            .or_else(|| line.strip_prefix("-# "))
            .or_else(|| line.strip_prefix("* "))
        {
            self.item(rest);
            return;
        }
        if self.part == Some(Part::Dropped) && self.open.is_empty() {
            // Behind an empty line, only what looks like a list of references goes on.
            let goes_on = line.starts_with("::") || line.starts_with("\\ref");
            if goes_on {
                return;
            }
            self.part = None;
        }
        if let Some(at) = line.find("\\code").or_else(|| line.find("@code")) {
            // A paragraph may go over into code.
            let (before, behind) = line.split_at(at);
            self.add(before);
            self.line(behind);
            return;
        }
        self.add(line);
    }

    fn add(&mut self, line: &str) {
        if !self.open.is_empty() {
            self.open.push(' ');
        }
        self.open.push_str(line.trim());
    }

    /// An item of a list.
    fn item(&mut self, text: &str) {
        match self.part {
            // Items of a parameter, or of what is returned, belong to it.
            Some(Part::Parameter | Part::Returns | Part::Note | Part::Dropped) => {
                let text = text.trim();
                self.add(if text.starts_with("::") { text } else { "-" });
                if !text.starts_with("::") {
                    self.add(text);
                }
            }
            _ => {
                self.close();
                self.open = format!("\u{1}{}", text.trim());
            }
        }
    }

    fn close_code(&mut self) {
        let lines = std::mem::take(&mut self.code);
        let first = lines.iter().position(|line| !line.is_empty());
        let last = lines.iter().rposition(|line| !line.is_empty());
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let lines = &lines[first..=last];
        let filled = lines.iter().filter(|line| !line.is_empty());
        let indent = filled
            .map(|line| line.len() - line.trim_start().len())
            .min()
            .unwrap_or(0);
        let lines: Vec<String> = lines
            .iter()
            .map(|line| match line.get(indent..) {
                Some(line) if !line.is_empty() => format!("    {line}"),
                _ => String::new(),
            })
            .collect();
        self.comment.text.push(lines.join("\n"));
    }

    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        let part = self.part.unwrap_or(Part::Text);
        if let Some(item) = open.strip_prefix('\u{1}') {
            let text = fill(&inline(item), "- ", "  ");
            // Items without a line between them are one list.
            match self.comment.text.last_mut() {
                Some(list) if list.starts_with("- ") => {
                    list.push('\n');
                    list.push_str(&text);
                }
                _ => self.comment.text.push(text),
            }
            return;
        }
        match part {
            Part::Dropped => {}
            Part::Text => {
                for piece in open.split("\\n").map(inline) {
                    if !piece.is_empty() {
                        self.comment.text.push(fill(&piece, "", ""));
                    }
                }
            }
            Part::Parameter => {
                let text = open.trim();
                // A direction in brackets repeats the signature.
                let text = match text.strip_prefix('[') {
                    Some(rest) => rest.split_once(']').map_or("", |(_, rest)| rest).trim(),
                    None => text,
                };
                let (name, said) = text
                    .split_once(|letter: char| letter.is_whitespace())
                    .unwrap_or((text, ""));
                let said = inline(said.trim_start_matches(['-', ':', ' ']));
                let name = name.trim_end_matches([',', ':', '-']);
                if !name.is_empty() {
                    self.comment.parameters.push((name.to_owned(), said));
                }
            }
            Part::Returns => {
                let text = inline(&open);
                if !text.is_empty() {
                    self.comment.returns.push(text);
                }
            }
            Part::Note => {
                let text = inline(&open);
                let title = self.title;
                if !text.is_empty() || title == "Deprecated" {
                    self.comment.notes.push((title, text));
                }
            }
        }
    }

    fn finish(&mut self) {
        if self.until.take().is_some() {
            self.close_code();
        }
        self.close();
    }
}

/// True for commands that mark the word behind them.
fn is_mark(name: &str) -> bool {
    matches!(
        name,
        "p" | "c" | "e" | "a" | "b" | "em" | "ref" | "link" | "endlink" | "copydoc" | "copybrief"
    )
}

fn inline_line(line: &str) -> String {
    // The indentation is part of the layout.
    let indent = line.len() - line.trim_start().len();
    let (spaces, text) = line.split_at(indent);
    match text.contains(['\\', '@', '<', '&', ':']) {
        true => format!("{spaces}{}", marks(text).trim_end()),
        false => line.trim_end().to_owned(),
    }
}

/// Text in one line, without marks: `\p name`, `::NAME`, `<b>..</b>`, `&lt;`.
pub fn inline(text: &str) -> String {
    let marked = marks(text);
    marked.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn marks(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let size = letter.len_utf8();
        let before = made.chars().next_back();
        let behind_word = before.is_some_and(|last| last.is_alphanumeric() || last == '_');
        match letter {
            // A break of the line, which may stand right behind a word.
            '\\' if rest[1..]
                .strip_prefix('n')
                .is_some_and(|behind| behind.chars().next().is_none_or(char::is_whitespace)) =>
            {
                rest = &rest[2..];
            }
            '\\' | '@' => {
                if let Some((name, behind)) = command_of(rest).filter(|_| !behind_word) {
                    rest = behind;
                    if name == "ref" {
                        // `\ref name "text"` is the text.
                        rest = reference(behind, &mut made);
                    } else if name == "n" {
                        made.push(' ');
                    } else {
                        rest = rest.trim_start_matches(' ');
                    }
                    continue;
                }
                let next = rest[size..].chars().next();
                match next {
                    // Escapes, and marks of formulas.
                    Some(mark) if "\\@&$#<>%\".:".contains(mark) => {
                        made.push(mark);
                        rest = &rest[size + mark.len_utf8()..];
                    }
                    _ => {
                        made.push(letter);
                        rest = &rest[size..];
                    }
                }
            }
            ':' if rest.starts_with("::") && !behind_word && before != Some('>') => {
                let named = rest[2..].starts_with(|next: char| next.is_alphabetic() || next == '_');
                rest = &rest[2..];
                if !named {
                    made.push_str("::");
                }
            }
            '<' => match tag(rest) {
                Some((text, behind)) => {
                    made.push_str(text);
                    rest = behind;
                }
                None => {
                    made.push('<');
                    rest = &rest[1..];
                }
            },
            '&' => {
                const ENTITIES: [(&str, &str); 6] = [
                    ("&lt;", "<"),
                    ("&gt;", ">"),
                    ("&amp;", "&"),
                    ("&quot;", "\""),
                    ("&nbsp;", " "),
                    ("&ndash;", "-"),
                ];
                let found = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
                let (name, text) = found.unwrap_or(&("&", "&"));
                made.push_str(text);
                rest = &rest[name.len()..];
            }
            _ => {
                made.push(letter);
                rest = &rest[size..];
            }
        }
    }
    made
}

/// The text of `\ref name "text"`, and what is behind it.
fn reference<'a>(behind: &'a str, made: &mut String) -> &'a str {
    let text = behind.trim_start();
    let quote = text.find('"');
    if let Some(start) = quote
        && let Some(length) = text[start + 1..].find('"')
        // The name may have parameters; nothing else stands before the quotation.
        && !text[..start].contains(['.', ';'])
    {
        let name = &text[..start];
        let is_name = name.split_whitespace().count() <= 1 || name.contains('(');
        if is_name {
            made.push_str(&text[start + 1..start + 1 + length]);
            return &text[start + 2 + length..];
        }
    }
    text
}

/// What stands for a tag of HTML, and the text behind it. Other text in angle brackets is no tag.
fn tag(text: &str) -> Option<(&'static str, &str)> {
    const TAGS: [(&str, &str); 14] = [
        ("b", ""),
        ("i", ""),
        ("em", ""),
        ("tt", ""),
        ("code", ""),
        ("strong", ""),
        ("pre", ""),
        ("ul", " "),
        ("ol", " "),
        ("li", " - "),
        ("br", " "),
        ("p", " "),
        ("sup", "^"),
        ("sub", "_"),
    ];
    let end = text.find('>').filter(|end| *end <= 12)?;
    let inside = text[1..end].trim_end_matches(['/', ' ']);
    let (closing, name) = match inside.strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, inside),
    };
    let name = name.to_ascii_lowercase();
    let (_, stands) = TAGS.iter().find(|(known, _)| *known == name)?;
    Some((if closing { "" } else { stands }, &text[end + 1..]))
}

/// Text broken into lines of at most [`WIDTH`] letters where that is possible.
pub fn fill(text: &str, first: &str, rest: &str) -> String {
    let mut made = String::from(first);
    let mut width = first.chars().count();
    let mut fresh = true;
    for word in text.split_whitespace() {
        let size = word.chars().count();
        if !fresh && width + 1 + size > WIDTH {
            made.push('\n');
            made.push_str(rest);
            width = rest.chars().count();
            fresh = true;
        }
        if !fresh {
            made.push(' ');
            width += 1;
        }
        made.push_str(word);
        width += size;
        fresh = false;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    const MALLOC: &str = "\\brief Allocate memory on the device\n\nAllocates \\p size bytes of linear memory on the device and returns in\n\\p *devPtr a pointer to the allocated memory.\n::cudaMalloc() returns ::cudaErrorMemoryAllocation in case of failure.\n\n\\param devPtr - Pointer to allocated device memory\n\\param size   - Requested allocation size in bytes\n\n\\return\n::cudaSuccess,\n::cudaErrorInvalidValue\n\\notefnerr\n\\note_init_rt\n\n\\sa ::cudaMallocPitch, ::cudaFree,\n\\ref ::cudaMallocHost(void**, size_t) \"cudaMallocHost (C API)\",\n::cuMemAlloc";

    #[test]
    fn a_comment_of_cuda() {
        let comment = Comment::read(MALLOC);
        assert_eq!(
            comment.text,
            [
                "Allocate memory on the device",
                "Allocates size bytes of linear memory on the device and returns in *devPtr a pointer to the\nallocated memory. cudaMalloc() returns cudaErrorMemoryAllocation in case of failure."
            ]
        );
        assert_eq!(
            comment.parameters,
            [
                (
                    "devPtr".to_owned(),
                    "Pointer to allocated device memory".to_owned()
                ),
                (
                    "size".to_owned(),
                    "Requested allocation size in bytes".to_owned()
                )
            ]
        );
        assert_eq!(comment.returns, ["cudaSuccess, cudaErrorInvalidValue"]);
        assert!(comment.notes.is_empty());
    }

    #[test]
    fn parts_that_begin_inside_of_a_line() {
        let comment = Comment::read(
            "Opens it. @param name its path @param[in] mode e.g. `a @return b` @return 0, or -1\n\\brief More. \\sa close",
        );
        assert_eq!(comment.text, ["Opens it.", "More."]);
        let parameter = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(comment.parameters[0], parameter("name", "its path"));
        // The one between grave accents begins none.
        assert_eq!(comment.parameters[1].0, "mode");
        assert_eq!(comment.returns, ["0, or -1"]);
        assert!(has_commands("Opens it. @return 0"));
        let mail = "Write to me@return.example, or see the \\@return mark, not C:\\return";
        assert!(Comment::read(mail).returns.is_empty());
    }

    #[test]
    fn lists_notes_and_code() {
        let doc = "\\brief Makes it.\n\nFlags:\n- ::A: one\n  of them\n- ::B: other\n\n\\note Not \\e thread safe, see \\ref it \"there\".\n\n\\code\n  int x;\n    y();\n\\endcode\nMore <b>text</b> &lt;here&gt;.\n\n\\deprecated\n\\par Example\nDone.\n\\xmlonly <x/> \\endxmlonly\n\\retval A good\n\\retval B bad";
        let comment = Comment::read(doc);
        assert_eq!(
            comment.text,
            [
                "Makes it.",
                "Flags:",
                "- A: one of them\n- B: other",
                "    int x;\n      y();",
                "More text <here>.",
                "Example:",
                "Done."
            ]
        );
        assert_eq!(
            comment.notes,
            [
                ("Note", "Not thread safe, see there.".to_owned()),
                ("Deprecated", String::new())
            ]
        );
        assert_eq!(comment.returns, ["A: good", "B: bad"]);
    }

    #[test]
    fn text_without_commands_keeps_its_layout() {
        assert_eq!(
            docstring("CAPI3REF: Open\n  deeper"),
            "CAPI3REF: Open\n  deeper"
        );
        assert_eq!(docstring("Type: int\\n\nApplies\\n"), "Type: int\nApplies");
        assert_eq!(docstring("Given by ::open()."), "Given by open().");
        assert_eq!(
            docstring("std::vector and user@example.com"),
            "std::vector and user@example.com"
        );
        assert_eq!(docstring("a < b && c > d"), "a < b && c > d");
        assert_eq!(docstring("@{"), "");
    }

    #[test]
    fn odd_comments_do_no_harm() {
        for text in [
            "",
            "\\",
            "@",
            "\\param",
            "\\param[",
            "\\param x",
            "[",
            "<b",
            "::",
            "\\code",
            "\\endcode",
            "\\ref",
            "\\ref \"",
            "\\ref a \"b",
            "é\\é",
            "\\n",
            "\\code{",
            "\\retval",
            "&",
            "<é>",
            "\\xmlonly \\endxmlonly \\code \\endcode x",
            "-",
            "- ",
            "\u{1}",
        ] {
            let _ = docstring(text);
            let _ = Comment::read(text);
        }
    }
}
